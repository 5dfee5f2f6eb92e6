import { everywhere, permissionsOf } from '../../frame/permissions/permission-levels.js';
import { areasOf, summaryOf } from './permission-choice.js';

const held = [
  'project_configuration:apps:read',
  'project_configuration:apps:read_write',
  'charts_metrics:overview:read',
];

describe('permissions of a key', () => {
  it('offers those that the person holds', () => {
    expect(areasOf(held)).toEqual([
      {
        name: 'project_configuration:apps',
        group: 'Project configuration',
        label: 'Apps',
        levels: ['none', 'read', 'read_write'],
      },
      {
        name: 'charts_metrics:overview',
        group: 'Charts metrics',
        label: 'Overview',
        levels: ['none', 'read'],
      },
    ]);
  });

  it('names their areas in words', () => {
    const areas = areasOf(['project_configuration:api_keys:read', 'project_configuration:audit_logs:read']);
    expect(areas.map(({ label }) => label)).toEqual(['API keys', 'Audit logs']);
  });

  it('sets them everywhere at once, as far as they are held', () => {
    expect(permissionsOf(everywhere(areasOf(held), 'read_write'))).toEqual([
      'project_configuration:apps:read_write',
      'charts_metrics:overview:read',
    ]);
    expect(permissionsOf(everywhere(areasOf(held), 'none'))).toEqual([]);
  });

  it.each([
    [['*'], 'Everything'],
    [held, '2 areas, 1 of them read only'],
    [['a:b:read'], '1 area, read only'],
    [['a:b:read', 'a:b:read_write', 'a:c:read_write'], '2 areas, read and write'],
    [['a:*'], '3 areas, 1 of them read only'],
    [['a:*:read'], '3 areas, read only'],
    [['a:*:read_write', 'a:b:read', 'x:y:read'], '3 areas, 1 of them read only'],
  ])('returns for %j: %s', (permissions, summary) => {
    const known = ['a:b:read', 'a:b:read_write', 'a:c:read', 'a:c:read_write', 'a:d:read', 'x:y:read'];
    expect(summaryOf(permissions, known)).toBe(summary);
  });
});
