import fc from 'fast-check';
import {
  subscriptionReturns,
  mergeSubscriptionFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OneTimeFacts,
  oneTimeReturns,
} from './index.js';
import { at, day, register, ReportBuilder } from './testing/subscription-history.js';

const sold = at(0).period(0).renewal(0).observation.facts;
const refundedOn = (days: number, change = {}) => {
  const report = new ReportBuilder(day(days)).refund(0, change);
  return mergeSubscriptionFacts(sold, report.observation.facts);
};

describe('what a refund of a period takes back', () => {
  it.each([
    [0, 1],
    [15, 0.5],
    [24, 0.2],
  ])('takes back on day %d of 30 a share of %d', (days, share) => {
    const [back] = subscriptionReturns(sold, refundedOn(days));
    expect(back).toMatchObject({ periodKey: 'p0', storeProductId: 'monthly', storeTransactionId: 't0' });
    expect((back?.part ?? 0) / (back?.whole ?? 1)).toBeCloseTo(share);
  });

  it('takes nothing once the period is over, or if access stays', () => {
    expect(subscriptionReturns(sold, refundedOn(30))).toEqual([]);
    expect(subscriptionReturns(sold, refundedOn(45))).toEqual([]);
    expect(subscriptionReturns(sold, refundedOn(1, { kind: 'partial', amountMicros: 1 }))).toEqual([]);
  });

  it('takes all of a period without an end', () => {
    const endless = at(0).period(0, { endMs: null }).observation.facts;
    const refunded = mergeSubscriptionFacts(endless, new ReportBuilder(day(400)).refund(0).observation.facts);
    expect(subscriptionReturns(endless, refunded)).toMatchObject([{ part: 1, whole: 1 }]);
  });

  it('stays the same when purchase and refund become known at once', () => {
    expect(subscriptionReturns(noSubscriptionFacts, refundedOn(15))).toEqual(
      subscriptionReturns(sold, refundedOn(15)),
    );
  });

  it('takes nothing if the refund is reversed or repeated', () => {
    const refunded = refundedOn(15);
    const reversed = mergeSubscriptionFacts(
      refunded,
      new ReportBuilder(day(16)).refund(0, { revokedAtMs: null }).observation.facts,
    );
    expect(subscriptionReturns(refunded, reversed)).toEqual([]);
    expect(subscriptionReturns(refunded, refunded)).toEqual([]);
  });

  it('lies between nothing and the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 100 }), (days) => {
        return subscriptionReturns(sold, refundedOn(days)).every(
          ({ part, whole }) => part > 0 && part <= whole,
        );
      }),
    );
  });
});

describe('what a refund of a one-time purchase takes back', () => {
  const bought: OneTimeFacts = {
    ...noOneTimeFacts,
    purchase: register(day(0), {
      storeProductId: 'coins',
      purchasedAtMs: day(0),
      expiresAtMs: null,
      price: { amountMicros: 1, currency: 'USD', source: 'store' },
      quantity: 3,
      ownership: 'purchased',
      storeTransactionId: 't',
      country: null,
    }),
  };
  const back = (quantity: number, refundedAtMs: number | null = day(1)): OneTimeFacts => ({
    ...bought,
    refund: register(day(1), { refundedAtMs, quantity }),
  });

  it('takes the refunded units, at most all of them', () => {
    expect(oneTimeReturns('t', bought, back(1))).toMatchObject([{ periodKey: 't', part: 1, whole: 3 }]);
    expect(oneTimeReturns('t', back(1), back(7))).toMatchObject([{ part: 3, whole: 3 }]);
  });

  it('takes nothing if nothing changed', () => {
    expect(oneTimeReturns('t', noOneTimeFacts, bought)).toEqual([]);
    expect(oneTimeReturns('t', back(2), back(2))).toEqual([]);
    expect(oneTimeReturns('t', back(3), back(3, null))).toEqual([]);
  });
});
