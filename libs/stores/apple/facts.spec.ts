import fc from 'fast-check';
import {
  isPaidByOther,
  mergeSubscriptionFacts,
  mergeOneTimeFacts,
  type PeriodKind,
  type RenewalFact,
} from '../../engine/index.js';
import { notificationRule, notificationTypes } from './notification-rules.js';
import { renewalFact, renewalFacts, type RenewalHints } from './renewal-facts.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import {
  noContext,
  oneTimeFacts,
  periodKeyOf,
  periodKindOf,
  purchaseKeyOf,
  subscriptionFacts,
} from './transaction-facts.js';

const START_MS = Date.UTC(2026, 0, 2);
const END_MS = START_MS + 30 * 86_400_000;

const transaction: SignedTransaction = {
  transactionId: '2',
  originalTransactionId: '1',
  webOrderLineItemId: '77',
  productId: 'pro_monthly',
  purchaseDate: START_MS,
  originalPurchaseDate: START_MS,
  expiresDate: END_MS,
  type: 'Auto-Renewable Subscription',
  environment: 'Production',
  signedDate: START_MS + 5,
  price: 9_990,
  currency: 'EUR',
  storefront: 'DEU',
  inAppOwnershipType: 'PURCHASED',
};

const renewal: SignedRenewal = {
  originalTransactionId: '1',
  autoRenewProductId: 'pro_monthly',
  autoRenewStatus: 1,
  signedDate: START_MS + 6,
};

describe('transactions', () => {
  it('converts them to a period with its price in micros and a two-letter country', () => {
    expect(subscriptionFacts(transaction, noContext).periods).toEqual({
      77: {
        at: START_MS + 5,
        src: 'signed',
        value: {
          storeProductId: 'pro_monthly',
          planId: null,
          offerCode: null,
          kind: 'normal',
          isRenewal: true,
          startMs: START_MS,
          endMs: END_MS,
          price: { amountMicros: 9_990_000, currency: 'EUR', source: 'store' },
          quantity: 1,
          ownership: 'purchased',
          storeTransactionId: '2',
          country: 'DE',
        },
      },
    });
  });

  it.each<[Partial<SignedTransaction>, PeriodKind]>([
    [{}, 'normal'],
    [{ offerType: 1, offerDiscountType: 'FREE_TRIAL' }, 'trial'],
    [{ offerType: 2, offerDiscountType: 'FREE_TRIAL' }, 'trial'],
    [{ offerType: 4, offerDiscountType: 'FREE_TRIAL' }, 'trial'],
    [{ offerType: 1, offerDiscountType: 'PAY_AS_YOU_GO' }, 'intro'],
    [{ offerType: 1, offerDiscountType: 'PAY_UP_FRONT' }, 'intro'],
    [{ offerType: 3, offerDiscountType: 'PAY_AS_YOU_GO' }, 'intro'],
    [{ offerType: 2, offerDiscountType: 'PAY_AS_YOU_GO' }, 'normal'],
    [{ offerType: 4, offerDiscountType: 'PAY_UP_FRONT' }, 'normal'],
    [{ offerType: 1, price: 0 }, 'trial'],
    [{ offerType: 1, price: 990 }, 'intro'],
    [{ offerType: 2, price: 990 }, 'normal'],
    [{ offerDiscountType: 'ONE_TIME' }, 'normal'],
    [{ offerType: 1, offerDiscountType: 'OF_THE_FUTURE', price: 0 }, 'trial'],
    [{ offerType: 9, offerDiscountType: 'OF_THE_FUTURE' }, 'normal'],
  ])('%j is a period of kind %s', (changes, kind) => {
    expect(periodKindOf({ ...transaction, ...changes })).toBe(kind);
  });

  it("uses the device's price without one, else it is unknown", () => {
    const silent = { ...transaction, price: undefined };
    const shown = { ...noContext, devicePrice: () => ({ amountMicros: 5, currency: 'USD' }) };
    const priceIn = (context: typeof noContext) =>
      subscriptionFacts(silent, context).periods['77']?.value.price;
    expect(priceIn(shown)).toEqual({ amountMicros: 5, currency: 'USD', source: 'device' });
    expect(priceIn(noContext)).toEqual({ amountMicros: null, currency: null, source: 'unknown' });
  });

  it('keys them by their line item, or by their own id without one', () => {
    expect(periodKeyOf(transaction)).toBe('77');
    for (const webOrderLineItemId of [undefined, '0', '']) {
      expect(periodKeyOf({ ...transaction, webOrderLineItemId })).toBe('2');
    }
    expect(purchaseKeyOf(transaction)).toBe('1');
    expect(purchaseKeyOf({ ...transaction, type: 'Consumable' })).toBe('2');
  });

  it.each<[Partial<SignedTransaction>, object]>([
    [{ revocationReason: 1 }, { kind: 'full' }],
    [{ revocationType: 'REFUND_FULL' }, { kind: 'full' }],
    [
      { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 },
      { kind: 'prorated', milliPercent: 50_000 },
    ],
    [{ revocationType: 'FAMILY_REVOKE' }, { kind: 'family' }],
    [{ inAppOwnershipType: 'FAMILY_SHARED' }, { kind: 'family' }],
    [{}, { kind: 'family' }],
    [{ revocationReason: 7 }, { kind: 'family' }],
    [{ revocationType: 'NEW_TYPE' }, { kind: 'family' }],
    [
      { revocationType: 'NEW_TYPE', revocationReason: 0 },
      { kind: 'prorated', amountMicros: null, milliPercent: null },
    ],
    [
      { revocationType: 'NEW_TYPE', revocationReason: 1, revocationPercentage: 20_000 },
      { kind: 'prorated', milliPercent: 20_000 },
    ],
  ])('refunds those revoked with %j: %j', (changes, expected) => {
    const revoked = { ...transaction, revocationDate: START_MS + 1, ...changes };
    expect(subscriptionFacts(revoked, noContext).refunds['77']?.value).toMatchObject({
      revokedAtMs: START_MS + 1,
      ...expected,
    });
    const { refunds } = subscriptionFacts({ ...revoked, revocationDate: undefined }, noContext);
    expect(refunds['77']?.value.revokedAtMs ?? null).toBeNull();
    if (changes.inAppOwnershipType === undefined) expect(refunds).toEqual({});
  });

  describe('with refunded items of an Advanced Commerce purchase', () => {
    const item = (SKU: string, price: number, ...amounts: number[]) => ({
      SKU,
      price,
      refunds: amounts.map((refundAmount, day) => ({
        refundAmount,
        refundDate: START_MS + 1 + day,
        refundType: 'PRORATED',
      })),
    });
    const withItems = (...items: object[]): SignedTransaction => ({
      ...transaction,
      price: 15_000,
      advancedCommerceInfo: { items },
    });
    const refundOf = (signed: SignedTransaction) => subscriptionFacts(signed, noContext).refunds['77']?.value;

    it.each<[string, object[], object | undefined]>([
      ['no refund', [item('a', 10_000), item('b', 5_000)], undefined],
      ['one refund', [item('a', 10_000), item('b', 5_000, 2_500)], { amountMicros: 2_500_000 }],
      ['two of one item', [item('a', 10_000), item('b', 5_000, 2_500, 2_500)], { amountMicros: 5_000_000 }],
      ['at most the price', [item('a', 10_000), item('b', 5_000, 4_000, 4_000)], { amountMicros: 5_000_000 }],
      ['one of each', [item('a', 10_000, 1), item('b', 5_000, 2)], { amountMicros: 3_000 }],
      ['an amount that is none', [item('b', 5_000, -1), item('c', 5_000, 0.5)], undefined],
    ])('returns their money and ends nothing: %s', (_, items, expected) => {
      const refund = refundOf(withItems(...items));
      if (expected) expect(refund).toMatchObject({ kind: 'partial', ...expected });
      else expect(refund).toBeUndefined();
    });

    it('counts a repeated refund of an item once', () => {
      const twice = item('b', 5_000, 2_500);
      twice.refunds.push(...twice.refunds);
      expect(refundOf(withItems(twice))?.amountMicros).toBe(2_500_000);
    });

    it('leaves a one-time purchase owned', () => {
      const bought = { ...withItems(item('b', 5_000, 2_500)), type: 'Non-Consumable' };
      expect(oneTimeFacts(bought, noContext).refund?.value).toEqual({
        refundedAtMs: START_MS + 1,
        quantity: 0,
        amountMicros: 2_500_000,
      });
    });
  });

  it.each([
    ['PURCHASED', '77', 'purchased', 9_990_000],
    [undefined, '77', 'purchased', 9_990_000],
    ['FAMILY_SHARED', '77', 'family_shared', 9_990_000],
    ['ASSIGNED', '2', 'assigned', 0],
    ['OF_THE_FUTURE', '77', 'unknown', null],
  ] as const)('refunds only the payer: ownership %s', (inAppOwnershipType, key, ownership, amountMicros) => {
    const { periods } = subscriptionFacts({ ...transaction, inAppOwnershipType }, noContext);
    expect(Object.keys(periods)).toEqual([key]);
    expect(periods[key]?.value).toMatchObject({ ownership, price: { amountMicros } });
    const revoked = { ...transaction, inAppOwnershipType, revocationDate: END_MS, revocationReason: 0 };
    const { refunds } = subscriptionFacts(revoked, noContext);
    expect(refunds[key]?.value.kind).toBe(isPaidByOther(ownership) ? 'family' : 'full');
    const once = { ...transaction, type: 'Non-Consumable', inAppOwnershipType };
    const { purchase } = oneTimeFacts(once, noContext);
    expect(purchase?.value).toMatchObject({ ownership, price: { amountMicros } });
  });

  describe('of a family that shares again after it stopped', () => {
    const DAY_MS = 86_400_000;
    const shared = { ...transaction, inAppOwnershipType: 'FAMILY_SHARED' };
    const signed = (days: number, changes: Partial<SignedTransaction> = {}): SignedTransaction => ({
      ...shared,
      ...changes,
      signedDate: START_MS + days * DAY_MS,
    });
    const revokedOn = (days: number) => ({
      revocationDate: START_MS + days * DAY_MS,
      revocationType: 'FAMILY_REVOKE',
    });
    const isTaken = (...all: SignedTransaction[]): boolean => {
      const facts = all.map((one) => subscriptionFacts(one, noContext)).reduce(mergeSubscriptionFacts);
      return (facts.refunds['77']?.value.revokedAtMs ?? null) !== null;
    };

    it.each([
      ['taken away', true, [signed(0), signed(5, revokedOn(5))]],
      ['and an older text is heard after', true, [signed(5, revokedOn(5)), signed(4.9)]],
      ['shared again', false, [signed(5, revokedOn(5)), signed(8)]],
      [
        'shared again under another id, while the revoked one is signed again',
        false,
        [signed(5, revokedOn(5)), signed(8, { transactionId: '3' }), signed(9, revokedOn(5))],
      ],
      [
        'taken away once more',
        true,
        [signed(5, revokedOn(5)), signed(8, { transactionId: '3' }), signed(9, revokedOn(9))],
      ],
    ] as [string, boolean, SignedTransaction[]][])('%s: taken is %s, in any order', (_, taken, all) => {
      expect(isTaken(...all)).toBe(taken);
      expect(isTaken(...all.toReversed())).toBe(taken);
    });

    it('restores a one-time purchase too', () => {
      const lifetime = { type: 'Non-Consumable', expiresDate: undefined };
      const taken = oneTimeFacts(signed(5, { ...lifetime, ...revokedOn(5) }), noContext);
      const again = oneTimeFacts(signed(8, lifetime), noContext);
      expect(mergeOneTimeFacts(taken, again).refund?.value.refundedAtMs).toBeNull();
      expect(mergeOneTimeFacts(again, taken).refund?.value.refundedAtMs).toBeNull();
    });
  });

  it('counts several units as one purchase, and a partial refund as that part of the money', () => {
    const bought = { ...transaction, type: 'Consumable', expiresDate: undefined, quantity: 3 };
    expect(oneTimeFacts(bought, noContext)).toMatchObject({
      purchase: { value: { quantity: 3, expiresAtMs: null, price: { amountMicros: 9_990_000 } } },
      refund: null,
    });
    const refunded = {
      ...bought,
      revocationDate: END_MS,
      revocationType: 'REFUND_PRORATED',
      revocationPercentage: 25_000,
    };
    expect(oneTimeFacts(refunded, noContext).refund?.value).toEqual({
      refundedAtMs: END_MS,
      quantity: 3,
      amountMicros: 2_497_500,
    });
  });

  it('ends non-renewing subscriptions after the duration in the catalog, if there is one', () => {
    const bought = { ...transaction, type: 'Non-Renewing Subscription', expiresDate: undefined };
    const monthly = { ...noContext, durationOf: () => 'P1M' };
    expect(oneTimeFacts(bought, monthly).purchase?.value.expiresAtMs).toBe(Date.UTC(2026, 1, 2));
    expect(oneTimeFacts(bought, noContext).purchase?.value.expiresAtMs).toBeNull();
    expect(
      oneTimeFacts({ ...bought, type: 'Non-Consumable' }, monthly).purchase?.value.expiresAtMs,
    ).toBeNull();
  });
});

describe('renewal information', () => {
  it.each<[string, Partial<SignedRenewal>, RenewalHints, Partial<RenewalFact>]>([
    ['that renews', {}, {}, { autoRenew: true, ended: false, inRetry: false, cancelReason: null }],
    ['that does not renew', { autoRenewStatus: 0 }, {}, { autoRenew: false, ended: false }],
    ['that changes product', { autoRenewProductId: 'pro_yearly' }, {}, { nextProductId: 'pro_yearly' }],
    [
      'in retry',
      { isInBillingRetryPeriod: true, expirationIntent: 2 },
      {},
      { inRetry: true, ended: false, cancelReason: 'BILLING_ERROR' },
    ],
    ['in retry by status', {}, { status: 3 }, { inRetry: true, graceUntilMs: null }],
    [
      'in grace',
      { isInBillingRetryPeriod: true, gracePeriodExpiresDate: END_MS + 5 },
      { status: 4 },
      { inRetry: true, graceUntilMs: END_MS + 5 },
    ],
    [
      'with a grace that is over and paid',
      { gracePeriodExpiresDate: END_MS + 5 },
      { status: 1 },
      { inRetry: false, graceUntilMs: null },
    ],
    [
      'cancelled and over',
      { autoRenewStatus: 0, expirationIntent: 1 },
      { status: 2 },
      { ended: true, cancelReason: 'UNSUBSCRIBE' },
    ],
    [
      'given up',
      { expirationIntent: 2, isInBillingRetryPeriod: false },
      {},
      { ended: true, inRetry: false, cancelReason: 'BILLING_ERROR' },
    ],
    [
      'too dear',
      { autoRenewStatus: 0, expirationIntent: 3 },
      {},
      { ended: true, cancelReason: 'PRICE_INCREASE' },
    ],
    ['of a product that is gone', { expirationIntent: 4 }, {}, { ended: true, cancelReason: 'UNKNOWN' }],
    ['with a reason of the future', { expirationIntent: 99 }, {}, { ended: false, cancelReason: null }],
    ['revoked', {}, { status: 5 }, { ended: true }],
    ['asking for consent', { priceIncreaseStatus: 0 }, {}, { priceIncrease: 'pending' }],
    ['with consent', { priceIncreaseStatus: 1 }, {}, { priceIncrease: 'accepted' }],
    ['with a price increase of unknown status', { priceIncreaseStatus: 9 }, {}, { priceIncrease: null }],
    ['of unknown status', {}, { status: 9 }, { ended: false, inRetry: false }],
  ])('%s', (_, changes, hints, expected) => {
    expect(renewalFact({ ...renewal, ...changes }, hints)).toMatchObject(expected);
  });

  it('runs a monthly plan until the commitment ends, even after a cancellation', () => {
    const latest = { ...transaction, commitmentInfo: { commitmentExpiresDate: END_MS * 2 } };
    const cancelled = { ...renewal, commitmentInfo: { commitmentAutoRenewStatus: 0 } };
    expect(renewalFact(cancelled, { latest })).toMatchObject({
      autoRenew: false,
      commitmentEndsAtMs: END_MS * 2,
    });
  });

  it('keeps the end of grace for the time after it', () => {
    const inGrace = { ...renewal, isInBillingRetryPeriod: true, gracePeriodExpiresDate: END_MS + 9 };
    const { ends } = renewalFacts(inGrace, { latest: transaction, overrides: { graceUntilMs: null } });
    expect(ends).toEqual({ 77: { grace: { at: START_MS + 6, src: 'signed', value: END_MS + 9 } } });
    expect(renewalFacts(inGrace, {}).ends).toBeUndefined();
  });

  it('never says that a subscription has ended and is also being retried', () => {
    const any = fc.record({
      autoRenewStatus: fc.constantFrom(0, 1),
      isInBillingRetryPeriod: fc.option(fc.boolean(), { nil: undefined }),
      gracePeriodExpiresDate: fc.option(fc.constant(END_MS), { nil: undefined }),
      expirationIntent: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    });
    const status = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined });
    const type = fc.constantFrom(...notificationTypes);
    fc.assert(
      fc.property(any, status, type, fc.string(), (changes, known, name, subtype) => {
        const signed = { ...renewal, ...changes };
        const notification = {
          notificationType: name,
          notificationUUID: '',
          signedDate: START_MS,
          subtype,
        };
        const overrides = notificationRule(name).renewal?.(notification, signed) ?? {};
        const fact = renewalFact(signed, { status: known, overrides });
        expect(fact.ended && fact.inRetry).toBe(false);
        expect(fact.graceUntilMs === null || fact.inRetry).toBe(true);
      }),
    );
  });
});

describe('notification types', () => {
  it('stores and ignores unknown types, whatever their name', () => {
    for (const name of ['NEW_TYPE', 'constructor', '__proto__', 'toString', '']) {
      expect(notificationRule(name)).toMatchObject({ ignored: true });
    }
  });

  it('covers the whole of version 2', async () => {
    const { NotificationTypeV2 } = await import('@apple/app-store-server-library');
    // The library does not know those of seats yet.
    const newer = ['DECREASE_QUANTITY', 'INCREASE_QUANTITY', 'UNCLAIM_SEATS'];
    const all = new Set([...Object.values(NotificationTypeV2), ...newer]);
    expect([...notificationTypes].sort()).toEqual([...all].sort());
  });
});
