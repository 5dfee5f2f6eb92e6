import type { SignedTransaction } from './signed-data.js';
import { unknownIn } from './unknown-values.js';

const START_MS = Date.UTC(2026, 8, 20);
const transaction: SignedTransaction = {
  transactionId: '2',
  originalTransactionId: '1',
  productId: 'pro_m',
  purchaseDate: START_MS,
  originalPurchaseDate: START_MS,
  expiresDate: START_MS + 30 * 86_400_000,
  type: 'Auto-Renewable Subscription',
  environment: 'Production',
  signedDate: START_MS,
  price: 9_990,
  currency: 'USD',
  quantity: 1,
  inAppOwnershipType: 'PURCHASED',
};
const tiers = [{ price: 13_990, quantity: 48 }];

it('reports nothing for known values', () => {
  const known = {
    transactionReason: 'RENEWAL',
    offerType: 1,
    offerDiscountType: 'FREE_TRIAL',
    revocationReason: 0,
  };
  expect(unknownIn({ ...transaction, ...known })).toEqual([]);
  expect(unknownIn({ ...transaction, inAppOwnershipType: 'ASSIGNED', quantity: 50 })).toEqual([]);
  expect(unknownIn({ ...transaction, quantity: 48, multiSeatInfo: { priceTiers: tiers } })).toEqual([]);
});

it.each([
  ['type', 'Subscription Bundle'],
  ['inAppOwnershipType', 'BORROWED'],
  ['transactionReason', 'GIFT'],
  ['offerType', 9],
  ['offerDiscountType', 'HALF'],
  ['revocationType', 'NEW_TYPE'],
  ['revocationReason', 7],
  ['billingPlanType', 'WEEKLY'],
  ['additionalTransactionReason', 'OTHER'],
])('reports %s %s', (field, value) => {
  expect(unknownIn({ ...transaction, [field]: value })).toEqual([{ field, value: String(value) }]);
});

it.each([
  ['seats_without_tiers', { quantity: 5 }, '5'],
  ['seat_sum', { quantity: 50, multiSeatInfo: { priceTiers: tiers } }, '48 of 50'],
  ['multi_seat_info', { multiSeatInfo: { priceTiers: [{ price: -1 }] } }, '[{"price":-1}]'],
  ['bundle_price', { bundleProductId: 'bundle_m' }, 'bundle_m'],
])('reports %s', (field, more, value) => {
  expect(unknownIn({ ...transaction, ...more })).toEqual([{ field, value }]);
});
