import { projectRoleOptions } from './project-roles.js';

describe('the roles of a project', () => {
  it('lists the built-in ones, then the custom ones of every project and of this one', () => {
    const roles = [
      { id: 'role_a', name: 'Support', project_id: null },
      { id: 'role_b', name: 'Finance', project_id: 'proj1' },
      { id: 'role_c', name: 'Elsewhere', project_id: 'proj2' },
    ];
    expect(projectRoleOptions(roles, 'proj1').map(({ label }) => label)).toEqual([
      'Admin',
      'Developer',
      'Viewer',
      'Support',
      'Finance',
    ]);
  });
});
