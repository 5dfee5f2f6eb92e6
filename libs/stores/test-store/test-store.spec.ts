import { testStore, testStorePurchaseTime } from '../index.js';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;

async function periodOf(
  product: { duration: string | null; trialDuration?: string },
  hadProduct = false,
  atMs = NOW_MS,
) {
  const receipt = {
    fetchToken: `test_${atMs}_x`,
    productIds: ['p'],
    price: null,
    country: null,
    presentedOfferingId: null,
  };
  const verified = await testStore.verify(receipt, {
    nowMs: NOW_MS,
    product: () => ({
      storeIdentifier: 'p',
      type: 'subscription',
      price: null,
      trialDuration: null,
      ...product,
    }),
    hadProduct: () => hadProduct,
  });
  if (verified.failure !== null) throw new Error(verified.message);
  const [purchase] = verified.purchases;
  if (purchase?.kind !== 'subscription') throw new Error('a subscription is a subscription');
  return Object.values(purchase.observation.facts.periods)[0]?.value;
}

describe('Test Store tokens', () => {
  it.each([
    [`test_${NOW_MS}_id`, NOW_MS],
    [`test_${NOW_MS}_8F14E45F-CEEA`, NOW_MS],
    ['test_1700000000_x', 1_700_000_000],
    [`test_${NOW_MS + DAY_MS}_id`, NOW_MS],
    [`test_${NOW_MS + DAY_MS + 1}_id`, null],
    [`test_${NOW_MS}_`, null],
    [`test_${NOW_MS}`, null],
    ['test_abc_id', null],
    ['test_123_id', null],
    [`TEST_${NOW_MS}_id`, null],
    [` test_${NOW_MS}_id`, null],
    [`test_${NOW_MS}_${'x'.repeat(201)}`, null],
    ['', null],
  ])('%j has the time %s', (token, purchasedAtMs) => {
    expect(testStorePurchaseTime(token, NOW_MS)).toBe(purchasedAtMs);
  });
});

describe('Test Store periods', () => {
  it.each([
    ['P1M', Date.UTC(2026, 1, 28, 12)],
    ['P1Y', Date.UTC(2027, 0, 31, 12)],
    ['P1W', NOW_MS + 7 * DAY_MS],
    ['P3D', NOW_MS + 3 * DAY_MS],
    ['PT5M', NOW_MS + 300_000],
    [null, Date.UTC(2026, 1, 28, 12)],
  ])('%s from 31 January', async (duration, endMs) => {
    expect(await periodOf({ duration })).toMatchObject({ kind: 'normal', startMs: NOW_MS, endMs });
  });

  it('starts with the trial for a customer who never had the product', async () => {
    const product = { duration: 'P1M', trialDuration: 'P1W' };
    expect(await periodOf(product)).toMatchObject({
      kind: 'trial',
      endMs: NOW_MS + 7 * DAY_MS,
      price: { amountMicros: 0 },
    });
    expect(await periodOf(product, true)).toMatchObject({ kind: 'normal', endMs: Date.UTC(2026, 1, 28, 12) });
  });
});
