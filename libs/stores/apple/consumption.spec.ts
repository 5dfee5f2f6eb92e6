import { consumptionOf } from './consumption.js';
import type { SignedTransaction } from './signed-data.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 1);
const transaction = {
  type: 'Auto-Renewable Subscription',
  advancedCommerceInfo: { items: [] },
} as unknown as SignedTransaction;
const customer = { hadTrial: false, firstSeenAtMs: NOW_MS, isOfAppStoreOnly: true, spending: null };

describe('an answer about an Advanced Commerce purchase', () => {
  it.each([
    [0, 1],
    [0.01, 2],
    [49.99, 2],
    [50, 3],
    [99.99, 3],
    [100, 4],
    [499.99, 4],
    [500, 5],
    [999.99, 5],
    [1_000, 6],
    [1_999.99, 6],
    [2_000, 7],
    [1_000_000, 7],
  ])('names the range of %d USD paid and returned as %d', (usd, range) => {
    const micros = Math.round(usd * 1_000_000);
    const spending = { purchasedMicros: micros, refundedMicros: micros };
    const { body } = consumptionOf(transaction, 'decline', { ...customer, spending }, NOW_MS);
    expect(body).toMatchObject({ lifetimeDollarsPurchased: range, lifetimeDollarsRefunded: range });
  });

  it.each([
    [0, 1],
    [3, 1],
    [3.1, 2],
    [10, 2],
    [30, 3],
    [90, 4],
    [180, 5],
    [365, 6],
    [366, 7],
  ])('names the range of %d days since the customer was first seen as %d', (days, accountTenure) => {
    const firstSeenAtMs = NOW_MS - days * DAY_MS;
    const { body } = consumptionOf(transaction, 'decline', { ...customer, firstSeenAtMs }, NOW_MS);
    expect(body).toMatchObject({ accountTenure });
  });

  it('leaves out what is not known', () => {
    const { body } = consumptionOf(transaction, 'decline', { ...customer, isOfAppStoreOnly: false }, NOW_MS);
    expect(body).toMatchObject({ platform: 0, lifetimeDollarsPurchased: 0, lifetimeDollarsRefunded: 0 });
  });
});
