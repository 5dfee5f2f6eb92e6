import { permissionsWithin, scopeOf, scopesWithin, scopeText } from './oauth-scopes.js';
import { allPermissions, rolePermissions } from './permissions.js';

const ALL = ['project:read', 'project:write', 'project:money'] as const;
const lackingOf = (role: 'admin' | 'developer' | 'viewer', scopes: (typeof ALL)[number][]): string[] => {
  const held = permissionsWithin(rolePermissions[role], scopes);
  return allPermissions.filter((name) => !held.has(name));
};

describe('the scopes of OAuth clients', () => {
  it('includes reading all but keys', () => {
    expect(lackingOf('admin', ['project:read']).filter((name) => name.endsWith(':read'))).toEqual([
      'project_configuration:api_keys:read',
    ]);
    expect(
      [...permissionsWithin(rolePermissions.admin, ['project:read'])].every((name) => name.endsWith(':read')),
    ).toBe(true);
  });

  it('includes writing all but members, keys and what moves money', () => {
    expect(lackingOf('admin', ['project:write'])).toEqual([
      'project_configuration:collaborators:read_write',
      'project_configuration:api_keys:read',
      'project_configuration:api_keys:read_write',
      'customer_information:subscriptions:read_write',
      'customer_information:purchases:read_write',
    ]);
  });

  it('never hold keys or members, all of them together', () => {
    expect(lackingOf('admin', [...ALL])).toEqual([
      'project_configuration:collaborators:read_write',
      'project_configuration:api_keys:read',
      'project_configuration:api_keys:read_write',
    ]);
  });

  it.each(['admin', 'developer', 'viewer'] as const)('grants nothing that a %s does not hold', (role) => {
    const held = permissionsWithin(rolePermissions[role], ALL);
    expect([...held].filter((name) => !rolePermissions[role].has(name))).toEqual([]);
  });

  it('grants fewer to a role that has no use for them', () => {
    expect(scopesWithin(rolePermissions.viewer, ALL)).toEqual(['project:read']);
    expect(scopesWithin(rolePermissions.developer, ALL)).toEqual(ALL);
  });

  it('finds them by a permission, and writes them in one order', () => {
    expect(scopeOf('customer_information:subscriptions:read_write')).toBe('project:money');
    expect(scopeOf('project_configuration:apps:read_write')).toBe('project:write');
    expect(scopeOf('project_configuration:apps:read')).toBe('project:read');
    expect(scopeOf('project_configuration:api_keys:read')).toBeNull();
    expect(scopeText(['project:money', 'project:read', 'project:money'])).toBe('project:read project:money');
  });
});
