export const text = {
  title: 'Roles',
  note: 'Roles with permissions of your choice, beside Admin, Developer and Viewer. They are given to members of projects.',
  things: 'roles',
  empty: 'A role gives people just the permissions that their work takes.',
  create: 'New role',
  created: (name: string) => `Created ${name}`,
  columns: { name: 'Name', permissions: 'May', project: 'Holds in', people: 'People', changed: 'Changed' },
  everyProject: 'Every project',
  otherProject: 'One project',
  permissionCount: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),
  name: 'Name',
  nameMissing: 'Give the role a name.',
  description: 'Description',
  project: 'Holds in',
  projectHint: 'While people have the role, this cannot be changed.',
  noPermission: 'Give the role at least one permission.',
  save: 'Save',
  saved: 'Saved. It counts from the next request of each person on.',
  holders: 'Who holds it',
  holdersNote: (count: number) =>
    count === 0
      ? 'Nobody has this role.'
      : count === 1
        ? '1 person in a project'
        : `${count} people in projects`,
  holdersThings: 'people',
  noHolders: 'Nobody has this role.',
  showHolders: 'Show who holds it',
  holderColumns: { person: 'Person', project: 'Project', source: 'Comes from' },
  delete: 'Delete role',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteEffect: (count: number) =>
    count === 0
      ? 'Nobody has it. Group mappings with it are deleted.'
      : `${count === 1 ? 'One person becomes' : `${count} people become`} Viewer, and group mappings with it are deleted.`,
  deleted: (name: string) => `Deleted ${name}`,
} as const;
