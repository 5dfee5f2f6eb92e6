/** The built-in roles of projects; others are ids of custom roles. */
export const projectRoleNames: Readonly<Record<string, string>> = {
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
};

interface NamedRole {
  id: string;
  name: string;
  project_id: string | null;
}

/** Roles for a person in a project: the built-in ones, then the custom ones valid there. */
export function projectRoleOptions(customRoles: readonly NamedRole[], projectId: string) {
  return [
    ...Object.entries(projectRoleNames).map(([value, label]) => ({ value, label })),
    ...customRoles
      .filter((role) => role.project_id === null || role.project_id === projectId)
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
}
