import { missingRight, reasonOf } from './permission-rules.js';

describe('rights in a project', () => {
  const viewer = { role: 'viewer', permissions: ['customer_information:customers:read'] };

  it.each([
    [[], null],
    [['customer_information:customers:read'], null],
    [
      ['customer_information:customers:read', 'customer_information:customers:read_write'],
      'customer_information:customers:read_write',
    ],
    [['admin'], 'admin'],
  ])('withholds from a viewer for %j: %j', (needed, missing) => {
    expect(missingRight(needed, viewer)).toBe(missing);
  });

  it('includes for an admin what only admins may do', () => {
    expect(missingRight(['admin'], { role: 'admin', permissions: [] })).toBeNull();
  });

  it('says which one is missing', () => {
    expect(reasonOf('a:b:read')).toContain('a:b:read');
    expect(reasonOf('admin')).toContain('admins');
  });
});
