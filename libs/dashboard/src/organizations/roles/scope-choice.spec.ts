import { everywhere, levelsOf } from '../../frame/permissions/permission-levels.js';
import { areasOf, scopesOf } from './scope-choice.js';

const groups = [
  {
    group: 'Customers',
    scopes: [
      { scope: 'customer_information:customers:read', label: 'Read customers' },
      { scope: 'customer_information:customers:read_write', label: 'Change customers' },
      { scope: 'customer_information:invoices:read', label: 'Read invoices' },
    ],
  },
];

describe('the permissions of a role', () => {
  it('shows one row for each area, with the levels that the server has', () => {
    expect(areasOf(groups)).toEqual([
      {
        name: 'customer_information:customers',
        group: 'Customers',
        label: 'Customers',
        levels: ['none', 'read', 'read_write'],
      },
      {
        name: 'customer_information:invoices',
        group: 'Customers',
        label: 'Invoices',
        levels: ['none', 'read'],
      },
    ]);
  });

  it('reads them back as saved; write access implies read access', () => {
    const saved = ['customer_information:customers:read', 'customer_information:customers:read_write'];
    expect(scopesOf(levelsOf(saved))).toEqual(['customer_information:customers:read_write']);
    expect(scopesOf(levelsOf(saved.toReversed()))).toEqual(['customer_information:customers:read_write']);
  });

  it('toggles all at once', () => {
    const areas = areasOf(groups);
    expect(scopesOf(everywhere(areas, 'read_write'))).toEqual([
      'customer_information:customers:read_write',
      'customer_information:invoices:read',
    ]);
    expect(scopesOf(everywhere(areas, 'none'))).toEqual([]);
  });
});
