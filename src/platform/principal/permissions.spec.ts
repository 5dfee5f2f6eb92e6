import fc from 'fast-check';
import {
  allPermissions,
  expandPermissions,
  type Permission,
  projectRoles,
  rolePermissions,
} from './permissions.js';

/** Permissions of admins, developers and viewers: `rw` read and write, `r` read. */
const table: Record<string, [admin: 'r' | 'rw', developer: 'r' | 'rw', viewer: 'r' | 'rw']> = {
  'project_configuration:projects': ['rw', 'rw', 'r'],
  'project_configuration:apps': ['rw', 'rw', 'r'],
  'project_configuration:products': ['rw', 'rw', 'r'],
  'project_configuration:entitlements': ['rw', 'rw', 'r'],
  'project_configuration:offerings': ['rw', 'rw', 'r'],
  'project_configuration:targeting_rules': ['rw', 'rw', 'r'],
  'project_configuration:experiments': ['rw', 'rw', 'r'],
  'project_configuration:packages': ['rw', 'rw', 'r'],
  'project_configuration:integrations': ['rw', 'rw', 'r'],
  'project_configuration:virtual_currencies': ['rw', 'rw', 'r'],
  'project_configuration:discounts': ['rw', 'rw', 'r'],
  'project_configuration:collaborators': ['rw', 'r', 'r'],
  'project_configuration:api_keys': ['rw', 'r', 'r'],
  'project_configuration:audit_logs': ['r', 'r', 'r'],
  'customer_information:customers': ['rw', 'rw', 'r'],
  'customer_information:subscriptions': ['rw', 'rw', 'r'],
  'customer_information:purchases': ['rw', 'rw', 'r'],
  'customer_information:invoices': ['rw', 'rw', 'r'],
  'charts_metrics:overview': ['r', 'r', 'r'],
  'charts_metrics:experiment_results': ['r', 'r', 'r'],
  'charts_metrics:charts': ['r', 'r', 'r'],
};

describe('the permissions of a role', () => {
  const cases = Object.entries(table).flatMap(([area, levels]) =>
    projectRoles.map((role, index) => ({ role, area, level: levels[index] })),
  );

  it.each(cases)('$role has $level in $area', ({ role, area, level }) => {
    const held = ['read', 'read_write'].filter((name) =>
      rolePermissions[role].has(`${area}:${name}` as Permission),
    );
    expect(held).toEqual(level === 'rw' ? ['read', 'read_write'] : ['read']);
  });

  it('covers every area, and only existing areas', () => {
    expect(new Set(allPermissions.map((name) => name.replace(/:[a-z_]+$/, '')))).toEqual(
      new Set(Object.keys(table)),
    );
  });
});

describe('the names stored with a key', () => {
  it('allows what the name says, and writing includes reading', () => {
    fc.assert(
      fc.property(fc.subarray([...allPermissions]), (names) => {
        const expanded = expandPermissions(names);
        for (const name of names) {
          expect(expanded?.has(name)).toBe(true);
          expect(expanded?.has(name.replace(/:read_write$/, ':read') as Permission)).toBe(true);
        }
        for (const name of expanded ?? []) {
          expect(names.some((given) => given === name || given === `${name}_write`)).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['*', () => true],
    ['project_configuration:*', (name: string) => name.startsWith('project_configuration:')],
    ['project_configuration:*:read_write', (name: string) => name.startsWith('project_configuration:')],
    ['charts_metrics:*:read_write', (name: string) => name.startsWith('charts_metrics:')],
    ['customer_information:*:read', (name: string) => /^customer_information:.*:read$/.test(name)],
  ])('%s is every permission of its kind', (wildcard, isMeant) => {
    expect(expandPermissions([wildcard])).toEqual(new Set(allPermissions.filter(isMeant)));
  });

  it.each([
    'customer_information',
    'customer_information:',
    'teapots:*',
    '*:*',
    'customer_information:*:delete',
    'customer_information:*:read:more',
    'charts_metrics:overview:read_write',
    'iam:authorization:issue_token',
    'audiences:audiences',
    '',
  ])('%j is not a permission', (name) => {
    expect(expandPermissions(['*', name])).toBeNull();
  });
});
