import { auditChangesIn } from './audit-changes.js';

describe('the changes of an audit log entry', () => {
  it('has values, or only a name', () => {
    const data = {
      changed_fields: ['url', 'name', 'sealed_secret', 7],
      changes: { name: { old: 'A', new: null }, url: { old: '', new: 'x' } },
    };
    expect(auditChangesIn(data)).toEqual([
      { field: 'name', values: { before: 'A', after: null } },
      { field: 'sealed_secret', values: null },
      { field: 'url', values: { before: '', after: 'x' } },
    ]);
  });

  it('reads them as organizations record them', () => {
    expect(auditChangesIn({ changes: { role: ['member', 'admin'], client_secret: 'changed' } })).toEqual([
      { field: 'client_secret', values: null },
      { field: 'role', values: { before: 'member', after: 'admin' } },
    ]);
  });

  it.each([[{}], [{ changes: null, changed_fields: 'name' }], [{ changes: 'x' }]])(
    'finds none in %j',
    (data) => {
      expect(auditChangesIn(data)).toEqual([]);
    },
  );
});
