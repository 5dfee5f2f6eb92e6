import { isStoreTime } from '../kernel/index.js';
import type { PostedReceipt, StoreAdapter, StoreContext, Verified } from './contract.js';
import { impossibleTimeIn, withPossibleTimes } from './store-times.js';

const NOW_MS = Date.UTC(2026, 0, 1);

it.each([-1, NaN, Infinity, 1e300, 8.64e15, Date.UTC(2200, 0, 1), '1', null, undefined])(
  'rejects the time %p, which no store means',
  (value) => {
    expect(isStoreTime(value)).toBe(false);
  },
);

it('dates and the database can hold every time that a store can mean', () => {
  for (const ms of [0, NOW_MS, Date.UTC(2200, 0, 1) - 1]) {
    expect(isStoreTime(ms)).toBe(true);
    expect(new Date(ms).toISOString()).toHaveLength(24);
  }
});

it('finds an impossible time anywhere, and ignores amounts and nulls', () => {
  const fact = (endMs: number | null) => ({ at: NOW_MS, value: { endMs, price: { amountMicros: 1e15 } } });
  expect(impossibleTimeIn([{ periods: { one: fact(null), two: fact(NOW_MS) } }])).toBeNull();
  expect(impossibleTimeIn([{ periods: { one: fact(null), two: fact(1e15) } }])).toBe(
    '0.periods.two.value.endMs',
  );
  expect(impossibleTimeIn({ facts: { at: -1 } })).toBe('facts.at');
});

it('treats an answer with one as a temporary failure of the store: SDKs keep the purchase', async () => {
  const answers = (expiresAtMs: number): StoreAdapter => ({
    store: 'stripe',
    verify: () =>
      Promise.resolve({
        failure: null,
        environment: 'production',
        purchases: [],
        installation: { originalApplicationVersion: null, originalPurchaseAtMs: expiresAtMs },
      } satisfies Verified),
  });
  const verify = (adapter: StoreAdapter) => adapter.verify({} as PostedReceipt, {} as StoreContext);
  expect(await verify(withPossibleTimes(answers(NOW_MS)))).toMatchObject({ failure: null });
  expect(await verify(withPossibleTimes(answers(9e15)))).toMatchObject({ failure: 'temporary', code: 7101 });
});
