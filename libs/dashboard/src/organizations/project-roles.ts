/** The built-in roles of projects; others are custom roles, by id. */
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

/** The roles that a person can have in a project: the built-in ones, then the custom ones that hold there. */
export function projectRoleOptions(customRoles: readonly NamedRole[], projectId: string) {
  return [
    ...Object.entries(projectRoleNames).map(([value, label]) => ({ value, label })),
    ...customRoles
      .filter((role) => role.project_id === null || role.project_id === projectId)
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
}
