import { applySubscription, newSubscription } from '../index.js';
import {
  at,
  day,
  SubscriptionHistory,
  PRICE_MICROS,
  register,
  subscribed,
} from '../testing/subscription-history.js';

const active = ['active', 'will_renew', true, 30];

describe('the start of a subscription', () => {
  it('row 1: the first paid purchase opens it', () => {
    const history = new SubscriptionHistory();
    expect(history.receive(at(0).period(0).renewal(0))).toEqual(['INITIAL_PURCHASE']);
    expect(history.now).toEqual(active);
    expect(history.lastEvent).toMatchObject({
      periodType: 'normal',
      price: { amountMicros: PRICE_MICROS, currency: 'USD' },
      purchasedAtMs: day(0),
      expirationAtMs: day(30),
      renewalNumber: 1,
      dedupeKey: 'sub_1:ip',
    });
    expect(history.money).toEqual([['purchase', PRICE_MICROS]]);
  });

  it('row 2: a free trial opens it without money', () => {
    const history = subscribed('app_store', 1, { kind: 'trial' });
    expect(history.now).toEqual(['trialing', 'will_renew', true, 30]);
    expect(history.lastEvent).toMatchObject({
      type: 'INITIAL_PURCHASE',
      periodType: 'trial',
      price: { amountMicros: 0 },
    });
    expect(history.money).toEqual([['trial_start', 0]]);
  });

  it('row 3: a paid introductory offer costs its own price', () => {
    const price = { amountMicros: 990_000, currency: 'EUR', source: 'store' } as const;
    const history = subscribed('app_store', 1, { kind: 'intro', price });
    expect(history.now).toEqual(active);
    expect(history.lastEvent).toMatchObject({ type: 'INITIAL_PURCHASE', periodType: 'intro', price });
  });

  it('row 4: an offer code is named in the event', () => {
    const history = subscribed('app_store', 1, { offerCode: 'SPRING' });
    expect(history.lastEvent).toMatchObject({
      type: 'INITIAL_PURCHASE',
      offerCode: 'SPRING',
      periodType: 'normal',
    });
  });

  it('row 5: a prepaid plan does not renew, and has no CANCELLATION', () => {
    const history = new SubscriptionHistory('play_store');
    const events = history.receive(at(0).period(0, { kind: 'prepaid' }).renewal(0, { autoRenew: false }));
    expect(events).toEqual(['INITIAL_PURCHASE']);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 30]);
    expect(history.lastEvent?.periodType).toBe('prepaid');
    expect(history.pass(30)).toEqual(['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE']);
  });

  it('row 6: topping up a prepaid plan expires the old subscription and opens a new one', () => {
    const old = new SubscriptionHistory('play_store');
    old.receive(at(0).period(0, { kind: 'prepaid' }).renewal(0, { autoRenew: false }));
    const replaced = register(day(20), { byStoreKey: 'new', atMs: day(20), byProductId: 'monthly' });
    expect(old.receive(at(20).with({ replaced }))).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(old.now).toEqual(['expired', 'will_not_renew', false, 20]);
    const topUp = new SubscriptionHistory('play_store', 'sub_2');
    const paid = at(20).period(0, { kind: 'prepaid', startMs: day(20), endMs: day(60) });
    expect(topUp.receive(paid.renewal(0, { autoRenew: false }))).toEqual(['INITIAL_PURCHASE']);
  });

  it('row 7: a pending payment gives no access and no ledger entry until it is paid', () => {
    const history = new SubscriptionHistory('play_store');
    expect(
      history.receive(
        at(0)
          .period(0)
          .renewal(0)
          .with({ pending: register(day(0), true) }),
      ),
    ).toEqual([]);
    expect(history.state).toMatchObject({ givesAccess: false, pendingPayment: true });
    expect(history.ledger).toEqual([]);
    expect(history.receive(at(1).with({ pending: register(day(1), false) }))).toEqual(['INITIAL_PURCHASE']);
    expect(history.now).toEqual(active);
    expect(history.money).toEqual([['purchase', PRICE_MICROS]]);
  });

  it('row 9: a report about an unknown purchase creates no subscription', () => {
    const unknown = newSubscription({
      id: 'sub_1',
      store: 'app_store',
      environment: 'production',
      storeKey: 'x',
    });
    const report = at(3).renewal(0, { autoRenew: false }).refund(0).observation;
    expect(() => applySubscription(unknown, report, day(3))).toThrow(RangeError);
  });

  it('row 10: first seen late and cancelled', () => {
    const history = new SubscriptionHistory();
    expect(history.receive(at(10).period(0).renewal(0, { autoRenew: false }))).toEqual([
      'INITIAL_PURCHASE',
      'CANCELLATION/UNSUBSCRIBE',
    ]);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 30]);
  });

  it('row 11: first seen late and in grace', () => {
    const history = new SubscriptionHistory();
    expect(
      history.receive(
        at(31)
          .period(0)
          .renewal(0, { inRetry: true, graceUntilMs: day(36) }),
      ),
    ).toEqual(['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(history.now).toEqual(['in_grace_period', 'will_renew', true, 36]);
  });

  it.each([
    ['UNSUBSCRIBE', { autoRenew: false, cancelReason: 'UNSUBSCRIBE' }],
    ['BILLING_ERROR', { autoRenew: false, ended: true, cancelReason: 'BILLING_ERROR' }],
    ['PRICE_INCREASE', { autoRenew: false, ended: true, cancelReason: 'PRICE_INCREASE' }],
    ['UNKNOWN', {}],
  ] as const)('row 12: first seen late and lapsed (%s)', (reason, renewal) => {
    const history = new SubscriptionHistory();
    expect(history.receive(at(40).period(0).renewal(0, renewal))).toEqual([
      'INITIAL_PURCHASE',
      `CANCELLATION/${reason}`,
      `EXPIRATION/${reason}`,
    ]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 13: first seen late and refunded', () => {
    const history = new SubscriptionHistory();
    expect(history.receive(at(10).period(0).renewal(0, { autoRenew: false }).refund(0))).toEqual([
      'INITIAL_PURCHASE',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
    ]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 10]);
    expect(history.events[1]?.price.amountMicros).toBe(-PRICE_MICROS);
    expect(history.money).toEqual([
      ['purchase', PRICE_MICROS],
      ['refund', -PRICE_MICROS],
    ]);
  });

  it('row 14: a family member gets a subscription of their own, without money', () => {
    const history = subscribed('app_store', 1, { ownership: 'family_shared' });
    expect(history.lastEvent).toMatchObject({ ownership: 'family_shared', price: { amountMicros: 0 } });
    expect(history.money).toEqual([['purchase', 0]]);
  });
});

describe('renewal and trial conversion', () => {
  const second = (change = {}) => at(30).period(1, change).renewal(1);

  it('row 15: a new period renews', () => {
    const history = subscribed();
    expect(history.receive(second())).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
    expect(history.lastEvent).toMatchObject({
      isTrialConversion: false,
      renewalNumber: 2,
      price: { amountMicros: PRICE_MICROS },
    });
    expect(history.money.at(-1)).toEqual(['renewal', PRICE_MICROS]);
  });

  it('row 16: a renewal charged early is emitted at once, and nothing when the new period starts', () => {
    const history = subscribed();
    expect(history.receive(at(29.5).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
    expect(history.state.periodEndsAtMs).toBe(day(30));
    expect(history.pass(30)).toEqual([]);
    expect(history.state.periodEndsAtMs).toBe(day(60));
  });

  it('row 17: a trial converts with its first charge', () => {
    const history = subscribed('app_store', 1, { kind: 'trial' });
    expect(history.receive(second())).toEqual(['RENEWAL']);
    expect(history.lastEvent).toMatchObject({
      periodType: 'normal',
      isTrialConversion: true,
      price: { amountMicros: PRICE_MICROS },
    });
    expect(history.money).toEqual([
      ['trial_start', 0],
      ['renewal', PRICE_MICROS],
    ]);
  });

  it('row 18: a trial can convert to a paid introductory offer', () => {
    const history = subscribed('app_store', 1, { kind: 'trial' });
    history.receive(second({ kind: 'intro' }));
    expect(history.lastEvent).toMatchObject({
      type: 'RENEWAL',
      periodType: 'intro',
      isTrialConversion: true,
    });
  });

  it('row 19: an introductory offer that moves to the normal price is no trial conversion', () => {
    const history = subscribed('app_store', 1, { kind: 'intro' });
    history.receive(second());
    expect(history.lastEvent).toMatchObject({
      type: 'RENEWAL',
      periodType: 'normal',
      isTrialConversion: false,
    });
  });

  it('row 20: several periods found at once are emitted in order', () => {
    const history = subscribed();
    const found = at(90).period(3).period(1).period(2).renewal(3);
    expect(history.receive(found)).toEqual(['RENEWAL', 'RENEWAL', 'RENEWAL']);
    expect(history.events.map(({ transactionId }) => transactionId)).toEqual(['t0', 't1', 't2', 't3']);
    expect(history.now).toEqual(['active', 'will_renew', true, 120]);
  });

  it('row 20: past periods of a new subscription are recorded but not sent', () => {
    const history = new SubscriptionHistory();
    expect(history.receive(at(60.5).period(2).period(1).period(0).renewal(2))).toEqual([
      'INITIAL_PURCHASE',
      'RENEWAL (suppressed)',
      'RENEWAL',
    ]);
  });

  it('row 20: a period that began within a day, or is the latest of a known subscription, is sent', () => {
    const found = (nowMs: number) =>
      new SubscriptionHistory().receive(at(30.5).period(0).period(1).renewal(1), nowMs);
    expect(found(day(31))).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    expect(found(day(31) + 1)).toEqual(['INITIAL_PURCHASE', 'RENEWAL (suppressed)']);
    const history = subscribed();
    expect(history.receive(at(75).period(2).period(1).renewal(2))).toEqual(['RENEWAL', 'RENEWAL']);
  });

  it('row 20: a period found between known ones is not sent and changes nothing', () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0).renewal(0));
    history.receive(at(60).period(2).renewal(2));
    const before = history.now;
    expect(history.receive(at(63).period(1, { storeProductId: 'other' }))).toEqual(['RENEWAL (suppressed)']);
    expect(history.now).toEqual(before);
    expect(history.money).toHaveLength(3);
  });

  it('row 21: a new order is a renewal, even with the same expiry', () => {
    const history = subscribed('play_store');
    history.receive(
      at(30)
        .renewal(0, { inRetry: true, graceUntilMs: day(33) })
        .ends(0, { grace: day(33) }),
    );
    expect(
      history.receive(
        at(31)
          .period(1, { startMs: day(30), endMs: day(33) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 33]);
  });

  it('row 22: a lapsed trial that is bought later on the same subscription converts', () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0, { kind: 'trial' }).renewal(0, { autoRenew: false }));
    history.pass(30);
    expect(
      history.receive(
        at(100)
          .period(4, { startMs: day(100), endMs: day(130) })
          .renewal(4),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.lastEvent).toMatchObject({ isTrialConversion: true });
    expect(history.now).toEqual(['active', 'will_renew', true, 130]);
  });
});
