import fc from 'fast-check';
import { consumedShare } from '../refunds/consumed-share.js';
import { answerPreferences, deliveryStatuses, purchaseKinds } from '../refunds/refund-answer.js';
import { type AppleRefund, appleRefundAnswer } from './refund-answer.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 1);

const refund: AppleRefund = {
  purchaseKind: 'auto_renewable',
  isAdvancedCommerce: false,
  appAccountToken: null,
  preference: 'neutral',
  deliveryStatus: 'delivered',
  consumedShare: undefined,
  sampleContentProvided: false,
  customer: { firstSeenAtMs: NOW_MS, isOfAppStoreOnly: true, spending: null },
};

const bodyOf = (more: Partial<AppleRefund>): object => appleRefundAnswer({ ...refund, ...more }, NOW_MS).body;

const common = { customerConsented: true, sampleContentProvided: false, deliveryStatus: 'DELIVERED' };

/** A consumable that granted 1,000 coins. */
const coins = (balance: number): Partial<AppleRefund> => ({
  purchaseKind: 'consumable',
  consumedShare: consumedShare({ period: null, currencies: [{ granted: 1_000, balance }] }, NOW_MS),
});

const halfOfMonth = consumedShare(
  { period: { startMs: NOW_MS - 15 * DAY_MS, endMs: NOW_MS + 15 * DAY_MS }, currencies: [] },
  NOW_MS,
);

describe('an answer about a refund request', () => {
  it.each([
    ['grant_full', { refundPreference: 'GRANT_FULL' }],
    ['decline', { refundPreference: 'DECLINE' }],
    ['neutral', {}],
    ['grant_prorated', { refundPreference: 'GRANT_PRORATED' }],
  ] as const)('leaves the share of an auto-renewable subscription to Apple: %s', (preference, stated) => {
    expect(bodyOf({ preference, consumedShare: halfOfMonth })).toEqual({ ...common, ...stated });
  });

  it('states the spent part of the granted currency', () => {
    expect(bodyOf({ ...coins(320), preference: 'decline' })).toEqual({
      ...common,
      consumptionPercentage: 68_000,
      refundPreference: 'DECLINE',
    });
  });

  it('asks to prorate by the spent part of the granted currency', () => {
    expect(bodyOf({ ...coins(320), preference: 'grant_prorated' })).toEqual({
      ...common,
      consumptionPercentage: 68_000,
      refundPreference: 'GRANT_PRORATED',
    });
  });

  it.each([1_000, 1_500])('asks for a full refund if nothing was spent: balance %d', (balance) => {
    expect(bodyOf({ ...coins(balance), preference: 'grant_prorated' })).toEqual({
      ...common,
      consumptionPercentage: 0,
      refundPreference: 'GRANT_FULL',
    });
  });

  it('asks to decline a prorated refund if everything was spent', () => {
    expect(bodyOf({ ...coins(0), preference: 'grant_prorated' })).toEqual({
      ...common,
      consumptionPercentage: 100_000,
      refundPreference: 'DECLINE',
    });
  });

  it('states no preference if the share to prorate by is unknown, and notes it', () => {
    const asked = { ...refund, purchaseKind: 'non_consumable', preference: 'grant_prorated' } as const;
    expect(appleRefundAnswer(asked, NOW_MS)).toEqual({
      version: 'v2',
      body: common,
      note: 'prorated_unknown',
    });
  });

  it('states the elapsed part of a non-renewing subscription', () => {
    expect(bodyOf({ purchaseKind: 'non_renewing', consumedShare: halfOfMonth })).toEqual({
      ...common,
      consumptionPercentage: 50_000,
    });
  });

  it.each([
    ['consumable', { consumptionPercentage: 0 }],
    ['auto_renewable', {}],
  ] as const)('states that nothing of an undelivered purchase was consumed: %s', (purchaseKind, stated) => {
    const asked = { ...coins(320), purchaseKind, deliveryStatus: 'undelivered_other' } as const;
    expect(bodyOf({ ...asked, preference: 'grant_full' })).toEqual({
      ...common,
      ...stated,
      deliveryStatus: 'UNDELIVERED_OTHER',
      refundPreference: 'GRANT_FULL',
    });
  });

  it('reports content that the customer could try before', () => {
    expect(bodyOf({ sampleContentProvided: true })).toEqual({ ...common, sampleContentProvided: true });
  });

  it('never contradicts Apple’s rules, whatever is known', () => {
    const any = fc.record({
      purchaseKind: fc.constantFrom(...purchaseKinds),
      preference: fc.constantFrom(...answerPreferences),
      deliveryStatus: fc.constantFrom(...deliveryStatuses),
      consumedShare: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(any, (more) => {
        const answer = appleRefundAnswer({ ...refund, ...more }, NOW_MS);
        if (answer.version === 'v1') throw new Error('It is for Advanced Commerce purchases only.');
        const { consumptionPercentage: share, refundPreference, deliveryStatus } = answer.body;
        const isRenewing = more.purchaseKind === 'auto_renewable';
        if (isRenewing) expect(share).toBeUndefined();
        if (deliveryStatus !== 'DELIVERED') expect(share ?? 0).toBe(0);
        if (refundPreference === 'GRANT_PRORATED' && !isRenewing) {
          expect(share).toBeGreaterThan(0);
          expect(share).toBeLessThan(100_000);
        }
      }),
    );
  });
});

describe('an answer about an Advanced Commerce purchase', () => {
  const advanced: AppleRefund = { ...refund, isAdvancedCommerce: true, preference: 'decline' };
  const customer = refund.customer;

  it('has the form of version 1', () => {
    const appAccountToken = '7e3fb20b-4cdb-47cc-936d-99d65f608138';
    expect(appleRefundAnswer({ ...advanced, appAccountToken, consumedShare: 50_000 }, NOW_MS)).toEqual({
      version: 'v1',
      body: {
        customerConsented: true,
        sampleContentProvided: false,
        accountTenure: 1,
        appAccountToken,
        consumptionStatus: 0,
        deliveryStatus: 0,
        lifetimeDollarsPurchased: 0,
        lifetimeDollarsRefunded: 0,
        platform: 1,
        playTime: 0,
        refundPreference: 2,
        userStatus: 1,
      },
    });
  });

  it.each([
    ['grant_full', 1],
    ['decline', 2],
    ['neutral', 3],
    ['grant_prorated', 3],
  ] as const)('states the preference as a number: %s is %d', (preference, refundPreference) => {
    expect(bodyOf({ ...advanced, preference })).toMatchObject({ refundPreference });
  });

  it.each([
    ['delivered', 0],
    ['undelivered_quality_issue', 1],
    ['undelivered_wrong_item', 2],
    ['undelivered_server_outage', 3],
    ['undelivered_other', 5],
  ] as const)('states the delivery as a number: %s is %d', (deliveryStatus, number) => {
    expect(bodyOf({ ...advanced, deliveryStatus })).toMatchObject({ deliveryStatus: number });
  });

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
    expect(bodyOf({ ...advanced, customer: { ...customer, spending } })).toMatchObject({
      lifetimeDollarsPurchased: range,
      lifetimeDollarsRefunded: range,
    });
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
    expect(bodyOf({ ...advanced, customer: { ...customer, firstSeenAtMs } })).toMatchObject({
      accountTenure,
    });
  });

  it('names no account token, platform or spending that is not known', () => {
    expect(bodyOf({ ...advanced, customer: { ...customer, isOfAppStoreOnly: false } })).toMatchObject({
      appAccountToken: '',
      platform: 0,
      lifetimeDollarsPurchased: 0,
      lifetimeDollarsRefunded: 0,
    });
  });
});
