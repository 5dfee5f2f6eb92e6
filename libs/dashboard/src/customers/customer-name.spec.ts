import { namesOf } from './customer-name.js';
import type { Customer } from './customers.queries.js';

const customer = (attributes: Record<string, string>) =>
  ({
    attributes: { items: Object.entries(attributes).map(([name, value]) => ({ name, value })) },
  }) as unknown as Customer;

describe('names of a customer', () => {
  it.each([
    [
      { $displayName: 'Ada', $email: 'ada@example.com' },
      { name: 'Ada', email: 'ada@example.com' },
    ],
    [{ $email: 'ada@example.com' }, { name: 'ada@example.com', email: null }],
    [
      { $displayName: ' ', plan: 'gold' },
      { name: null, email: null },
    ],
  ])('reads %p as %p', (attributes, names) => {
    expect(namesOf(customer(attributes))).toEqual(names);
  });

  it('returns none until the customer is loaded', () => {
    expect(namesOf(undefined)).toEqual({ name: null, email: null });
  });
});
