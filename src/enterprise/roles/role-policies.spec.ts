import { allPermissions, type MemberRole } from '../../platform/principal/permissions.js';
import { effectiveRole, type RoleFacts } from './effective-role.policy.js';
import { highestRole, type RankedRole } from './highest-role.policy.js';
import { normalizedScopes, unassignableScope } from './role-scopes.policy.js';
import { assignableScopes, scopeGroups } from './scope-catalogue.js';

const customRoles = new Map<string, RankedRole>();
for (const role of [
  { id: 'role_small', name: 'Analyst', scopes: 1, projectId: null },
  { id: 'role_large', name: 'Zookeeper', scopes: 3, projectId: null },
  { id: 'role_same', name: 'Aardvark', scopes: 3, projectId: null },
  { id: 'role_other', name: 'Other', scopes: 9, projectId: 'projother' },
] as const)
  customRoles.set(role.id, role);

describe('the scope catalogue', () => {
  it('lists each permission of the server once, but for those that only admins can use', () => {
    const listed = scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
    const adminsOnly = [
      'project_configuration:api_keys:read_write',
      'project_configuration:collaborators:read_write',
    ];
    expect(new Set(listed)).toEqual(new Set(allPermissions.filter((name) => !adminsOnly.includes(name))));
    expect(listed).toHaveLength(assignableScopes.length);
  });

  it('has groups in the order of the dashboard, with a label for each scope', () => {
    expect(scopeGroups.map(({ group }) => group)).toEqual([
      'Customers',
      'Product catalog',
      'Charts',
      'Targeting',
      'Project',
    ]);
    expect(scopeGroups[0]?.scopes.slice(0, 2)).toEqual([
      { scope: 'customer_information:customers:read', label: 'Customers: read' },
      { scope: 'customer_information:customers:read_write', label: 'Customers: read and write' },
    ]);
    expect(scopeGroups.flatMap(({ scopes }) => scopes.map(({ label }) => label))).toContain('API keys: read');
  });
});

describe('the scopes of a role', () => {
  it('sorts them, each once, and writing includes reading', () => {
    const names = [
      'project_configuration:products:read_write',
      'charts_metrics:overview:read',
      'charts_metrics:overview:read',
    ];
    expect(normalizedScopes(names)).toEqual([
      'charts_metrics:overview:read',
      'project_configuration:products:read',
      'project_configuration:products:read_write',
    ]);
  });

  it('drops scopes that a later version no longer knows', () => {
    expect(normalizedScopes(['charts_metrics:gone:read', 'charts_metrics:charts:read'])).toEqual([
      'charts_metrics:charts:read',
    ]);
  });

  it.each([
    ['charts_metrics:nothing:read'],
    ['project_configuration:api_keys:read_write'],
    ['project_configuration:collaborators:read_write'],
    ['*'],
    ['project_configuration:*'],
    ['__proto__'],
  ])('excludes %s', (name) => {
    expect(unassignableScope(['charts_metrics:charts:read', name])).toBe(name);
  });
});

describe('the effective role', () => {
  const nothing: RoleFacts = {
    isActive: true,
    organizationRole: 'member',
    manualRole: null,
    mappedRole: null,
  };

  it.each<[string, Partial<RoleFacts>, string | null]>([
    ['1: a deactivated member has none', { isActive: false }, null],
    [
      '1: nor has a deactivated owner with a role set by hand and a mapped one',
      { isActive: false, organizationRole: 'owner', manualRole: 'admin', mappedRole: 'admin' },
      null,
    ],
    ['2: an owner is an admin', { organizationRole: 'owner' }, 'admin org'],
    [
      '2: an admin of the organization too, whatever was set by hand',
      { organizationRole: 'admin', manualRole: 'viewer' },
      'admin org',
    ],
    [
      '3: a role set by hand stays, however high the mapped one',
      { manualRole: 'viewer', mappedRole: 'admin' },
      'viewer manual',
    ],
    ['3: also a custom one', { manualRole: 'role_small' }, 'role_small manual'],
    ['4: the mapped role', { mappedRole: 'developer' }, 'developer idp'],
    ['5: none', {}, null],
  ])('%s', (_, facts, expected) => {
    const found = effectiveRole({ ...nothing, ...facts });
    expect(found && `${found.role} ${found.source}`).toBe(expected);
  });
});

describe('the highest mapped role', () => {
  it.each<[MemberRole[], MemberRole | null]>([
    [['viewer', 'admin', 'developer'], 'admin'],
    [['role_large', 'developer'], 'developer'],
    [['viewer', 'role_small'], 'role_small'],
    [['role_small', 'role_large'], 'role_large'],
    [['role_large', 'role_same'], 'role_same'],
    [['role_gone', 'viewer'], 'viewer'],
    [['role_other', 'role_small'], 'role_small'],
    [['role_gone'], null],
    [[], null],
  ])('picks for %j: %s', (roles, expected) => {
    expect(highestRole(roles, 'projown', customRoles)).toBe(expected);
    expect(highestRole([...roles].reverse(), 'projown', customRoles)).toBe(expected);
  });
});
