import type { CustomerRow } from '../../../customers/customers/identity/customer-state.js';
import type { ImportedCustomerDto } from '../customer-import.dto.js';
import { IdentityPlan } from './import-identities.policy.js';

const bob = {
  id: 'cust1',
  originalAppUserId: 'bob',
  firstSeenAtMs: 1,
  aliases: [{ appUserId: 'bob', isAnonymous: false, createdAtMs: 1 }],
  subscriptions: [],
  purchases: [],
} as unknown as CustomerRow;

function planned(item: ImportedCustomerDto) {
  const erased = new Set(['ada']);
  const plan = new IdentityPlan({ rows: [bob], erased, ownersOf: () => [], nowMs: 10 });
  const { person, status, notes } = plan.plan(item);
  return { rows: person?.rows, ids: person && [...person.newIds], status, notes: notes.texts };
}

describe('an imported customer who was erased on request', () => {
  it('stays deleted, even if an alias belongs to another customer', () => {
    for (const aliases of [[], ['bob']])
      expect(planned({ id: 'ada', aliases })).toEqual({
        rows: undefined,
        ids: null,
        status: 'updated',
        notes: [expect.stringContaining('erased here on request')],
      });
    expect(planned({ id: 'new', aliases: ['ada'] })).toMatchObject({ rows: undefined, status: 'updated' });
  });

  it('does not become an alias of another customer', () => {
    expect(planned({ id: 'bob', aliases: ['ada', 'bobby'] })).toEqual({
      rows: [bob],
      ids: ['bobby'],
      status: 'updated',
      notes: ['aliases: ids of a customer who was erased here are left out'],
    });
  });
});
