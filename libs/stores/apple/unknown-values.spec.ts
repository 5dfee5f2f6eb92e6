import { noSubscriptionFacts } from '../../engine/index.js';
import { renewalFacts } from './renewal-facts.js';
import type { SignedNotification, SignedRenewal, SignedTransaction } from './signed-data.js';
import { noContext, subscriptionFacts } from './transaction-facts.js';
import {
  unknownInNotification,
  unknownInRenewal,
  unknownInTransaction,
  unknownStatus,
} from './unknown-values.js';

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
const renewal: SignedRenewal = {
  originalTransactionId: '1',
  autoRenewProductId: 'pro_m',
  autoRenewStatus: 1,
  signedDate: START_MS,
};
const notification: SignedNotification = {
  notificationType: 'DID_RENEW',
  notificationUUID: '',
  signedDate: START_MS,
};

it('reports nothing for known values', () => {
  const known = {
    transactionReason: 'RENEWAL',
    offerType: 1,
    offerDiscountType: 'FREE_TRIAL',
    revocationReason: 0,
  };
  expect(unknownInTransaction({ ...transaction, ...known })).toEqual([]);
  expect(unknownInTransaction({ ...transaction, inAppOwnershipType: 'ASSIGNED', quantity: 50 })).toEqual([]);
  expect(
    unknownInTransaction({ ...transaction, quantity: 48, multiSeatInfo: { priceTiers: tiers } }),
  ).toEqual([]);
  expect(unknownInRenewal({ ...renewal, expirationIntent: 5, priceIncreaseStatus: 0 })).toEqual([]);
  for (const subtype of [undefined, 'SEATS', 'INCREASE_QUANTITY', 'AUTO_RENEW_DISABLED']) {
    const data = { status: 1, consumptionRequestReason: 'LEGAL' };
    expect(unknownInNotification({ ...notification, subtype, data }, transaction)).toEqual([]);
  }
  expect(unknownStatus(5)).toEqual([]);
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
  expect(unknownInTransaction({ ...transaction, [field]: value })).toEqual([{ field, value: String(value) }]);
});

it.each([
  ['seats_without_tiers', { quantity: 5 }, '5'],
  ['seat_sum', { quantity: 50, multiSeatInfo: { priceTiers: tiers } }, '48 of 50'],
  ['multi_seat_info', { multiSeatInfo: { priceTiers: [{ price: -1 }] } }, '[{"price":-1}]'],
  ['bundle_price', { bundleProductId: 'bundle_m' }, 'bundle_m'],
])('reports %s', (field, more, value) => {
  expect(unknownInTransaction({ ...transaction, ...more })).toEqual([{ field, value }]);
});

it.each([
  ['expirationIntent', 9],
  ['autoRenewStatus', 2],
  ['priceIncreaseStatus', 2],
  ['offerType', 9],
  ['offerDiscountType', 'HALF'],
])('reports %s %s of a renewal', (field, value) => {
  expect(unknownInRenewal({ ...renewal, [field]: value })).toEqual([{ field, value: String(value) }]);
});

it.each([
  ['notificationType', 'NEW', { notificationType: 'NEW' }],
  ['subtype', 'NEW', { subtype: 'NEW' }],
  ['status', '9', { data: { status: 9 } }],
  ['consumptionRequestReason', 'NEW', { data: { consumptionRequestReason: 'NEW' } }],
])('reports %s %s of a notification', (field, value, more) => {
  expect(unknownInNotification({ ...notification, ...more }, transaction)).toEqual([{ field, value }]);
});

it('reports a refund notification that names nothing refunded', () => {
  const refund = { ...notification, notificationType: 'REFUND' };
  const reported = [{ field: 'refund_without_revocation', value: '' }];
  expect(unknownInNotification(refund, transaction)).toEqual(reported);
  expect(unknownInNotification({ ...refund, subtype: 'SEATS' }, transaction)).toEqual([]);
  const revoked = { ...transaction, revocationDate: START_MS };
  expect(unknownInNotification(refund, revoked)).toEqual([]);
  const seats = { multiSeatInfo: { priceTiers: tiers, revokedSeatQuantity: 1 }, quantity: 48 };
  expect(unknownInNotification(refund, { ...transaction, ...seats })).toEqual([]);
});

it.each<[string, Partial<SignedTransaction>, boolean]>([
  ['without a reason', {}, true],
  ['with a reason', { revocationReason: 1 }, false],
  ['that ends sharing', { revocationType: 'FAMILY_REVOKE' }, false],
  ['of a family member', { inAppOwnershipType: 'FAMILY_SHARED' }, false],
])('reports a revocation %s if nothing explains it', (_, changes, isReported) => {
  const revoked = { ...transaction, revocationDate: START_MS, ...changes };
  const reported = [{ field: 'revocationReason', value: '' }];
  expect(unknownInTransaction(revoked)).toEqual(isReported ? reported : []);
});

it('adds no facts for a renewal with an unknown auto-renew status', () => {
  const facts = renewalFacts({ ...renewal, autoRenewStatus: 9, expirationIntent: 1 }, { status: 2 });
  expect(facts).toEqual(noSubscriptionFacts);
});

it.each([
  ['RENEWAL', '1', true],
  ['PURCHASE', '2', false],
  [undefined, '1', false],
  [undefined, '2', true],
  ['OF_THE_FUTURE', '1', false],
  ['OF_THE_FUTURE', '2', true],
])('reads the reason %s of transaction %s as a renewal: %s', (reason, id, isRenewal) => {
  const signed = { ...transaction, transactionReason: reason, transactionId: id };
  expect(subscriptionFacts(signed, noContext).periods[id]?.value.isRenewal).toBe(isRenewal);
});
