import type { Currency } from '../catalog.types.js';
import { bodyOf, emptyGrant, problemsIn, valuesOf } from './currency-form.js';

const currency: Currency = {
  object: 'virtual_currency',
  project_id: 'proj1',
  code: 'GLD',
  name: 'Gold',
  description: null,
  state: 'active',
  created_at: 1,
  product_grants: [
    {
      object: 'virtual_currency.product_grant',
      product_ids: ['a', 'b'],
      amount: 100,
      trial_amount: 10,
      expire_at_cycle_end: true,
    },
  ],
};
const initial = valuesOf(currency);
const added = { ...emptyGrant(initial.product_grants), product_ids: ['c'], amount: ' 5 ' };

describe('the form of a currency', () => {
  it('sends grants only if they changed', () => {
    expect(bodyOf({ ...initial, name: 'G' }, initial)).toEqual({ name: 'G', description: null });
    expect(
      bodyOf({ ...initial, product_grants: [...initial.product_grants, added] }, initial).product_grants,
    ).toEqual([
      { product_ids: ['a', 'b'], amount: 100, trial_amount: 10, expire_at_cycle_end: true },
      { product_ids: ['c'], amount: 5, trial_amount: 0, expire_at_cycle_end: false },
    ]);
    expect(bodyOf({ ...initial, product_grants: [] }, initial).product_grants).toEqual([]);
  });

  it('gives each grant a key of its own', () => {
    expect(emptyGrant([]).key).toBe(0);
    expect(emptyGrant([{ ...added, key: 4 }, added]).key).toBe(5);
  });

  it.each([
    [{ amount: '' }, 'product_grants.1.amount'],
    [{ amount: '0' }, 'product_grants.1.amount'],
    [{ amount: '1.5' }, 'product_grants.1.amount'],
    [{ amount: '2000000001' }, 'product_grants.1.amount'],
    [{ trial_amount: '-1' }, 'product_grants.1.trial_amount'],
    [{ product_ids: [] }, 'product_grants.1.product_ids'],
    [{ product_ids: ['c', 'a'] }, 'product_grants.1.product_ids'],
  ])('finds what is wrong with a grant: %j', (change, param) => {
    const product_grants = [...initial.product_grants, { ...added, ...change }];
    expect(Object.keys(problemsIn({ ...initial, product_grants }, false))).toEqual([param]);
  });

  it('takes what the server takes', () => {
    const product_grants = [...initial.product_grants, { ...added, amount: '2000000000', trial_amount: '' }];
    expect(problemsIn({ ...initial, product_grants }, false)).toEqual({});
    expect(Object.keys(problemsIn({ ...valuesOf(null), product_grants }, true))).toEqual(['code', 'name']);
  });
});
