export const text = {
  title: 'Group mappings',
  note: 'A group of your identity provider gives its members a role in a project. Where several groups apply, the highest role counts; a role given by hand always stays.',
  things: 'mappings',
  empty: 'Let the groups of your identity provider decide who has which role.',
  columns: { group: 'Group', project: 'Project', role: 'Role', created: 'Since', actions: 'Actions' },
  create: 'New mapping',
  createEffect: 'The same group and project again replaces the role.',
  group: 'Group',
  groupHint: 'As your identity provider names it; upper and lower case are the same.',
  groupMissing: 'Enter the name of a group.',
  project: 'Project',
  projectMissing: 'Choose a project.',
  choose: 'Choose a project',
  role: 'Role',
  save: 'Save',
  saved: (group: string, changed: number) =>
    `Saved the mapping of ${group}. ${
      changed === 0
        ? 'No membership changed.'
        : changed === 1
          ? '1 membership changed.'
          : `${changed} memberships changed.`
    }`,
  delete: 'Delete',
  deleteNamed: (group: string, project: string) => `Delete the mapping of ${group} in ${project}`,
  deleteTitle: (group: string) => `Delete the mapping of ${group}?`,
  deleteEffect: (group: string, role: string, project: string) =>
    `Members of ${group} who are ${role} in ${project} only by this mapping lose that role at once.`,
  deleted: (group: string) => `Deleted the mapping of ${group}`,
} as const;
