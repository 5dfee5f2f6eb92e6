import {
  applySubscription,
  applyOneTime,
  type Subscription,
  deriveState,
  newSubscription,
  newOneTimePurchase,
  noOneTimeFacts,
} from './index.js';
import {
  at,
  day,
  DAY_MS,
  SubscriptionHistory,
  PRICE_MICROS,
  register,
  renewalFact,
  subscribed,
} from './testing/subscription-history.js';

const unknown = newSubscription({
  id: 'sub_1',
  store: 'app_store',
  environment: 'production',
  storeKey: 'c',
});

describe('bad input', () => {
  it.each([Number.NaN, Infinity, -1, 1.5, day(0) + DAY_MS + 1])('refuses an observation of %p', (atMs) => {
    const { facts } = at(0).period(0).observation;
    expect(() => applySubscription(unknown, { atMs, facts }, day(0))).toThrow(RangeError);
    const purchase = newOneTimePurchase({
      id: 'p',
      store: 'app_store',
      environment: 'production',
      purchaseKey: 'k',
    });
    expect(() => applyOneTime(purchase, { atMs, facts: noOneTimeFacts }, day(0))).toThrow(RangeError);
  });

  it('accepts an observation up to a day ahead, and uses our clock for time', () => {
    const history = new SubscriptionHistory();
    expect(
      history.receive(
        at(1)
          .period(0, { startMs: day(1), endMs: day(31) })
          .renewal(0),
        day(0),
      ),
    ).toEqual(['INITIAL_PURCHASE']);
    expect(history.state.givesAccess).toBe(true);
  });

  it('knows nothing of a subscription that has no period', () => {
    expect(() => deriveState(unknown.facts, day(0))).toThrow(RangeError);
    expect(() => applySubscription(unknown, null, day(0))).toThrow(RangeError);
  });

  it('never lets a period or refund end before it began', () => {
    const backwards = new SubscriptionHistory();
    backwards.receive(
      at(0)
        .period(0, { startMs: day(0), endMs: day(-5) })
        .renewal(0, { autoRenew: false }),
    );
    expect(backwards.state.accessEndsAtMs).toBe(day(0));
    const early = subscribed();
    early.receive(at(1).refund(0, { revokedAtMs: day(-3) }));
    expect(early.state).toMatchObject({ accessEndsAtMs: day(0), givesAccess: false });
  });

  it('keeps the current period if the next one was paid early and refunded before it began', () => {
    const history = subscribed();
    history.receive(at(29).period(1).renewal(1));
    expect(history.receive(at(29.5).refund(1))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.money).toEqual([
      ['purchase', PRICE_MICROS],
      ['renewal', PRICE_MICROS],
      ['refund', -PRICE_MICROS],
    ]);
  });

  it('refunds at most what was paid, whatever is claimed', () => {
    const history = subscribed();
    history.receive(at(1).refund(0, { kind: 'partial', amountMicros: 99 * PRICE_MICROS }));
    expect(history.money.at(-1)).toEqual(['refund', -PRICE_MICROS]);
  });

  it('keeps a refund of an unknown period until the period is known', () => {
    const history = subscribed();
    expect(history.receive(at(29.9).refund(1, { revokedAtMs: day(30) }))).toEqual([]);
    expect(history.receive(at(30.1).period(1).renewal(1))).toEqual([
      'RENEWAL',
      'CANCELLATION/CUSTOMER_SUPPORT',
      'EXPIRATION/CUSTOMER_SUPPORT',
    ]);
    expect(history.money.slice(1)).toEqual([
      ['renewal', PRICE_MICROS],
      ['refund', -PRICE_MICROS],
    ]);
  });

  it('does not roll back to an older statement, and emits nothing for it', () => {
    const history = subscribed();
    history.receive(at(5).renewal(0));
    expect(history.receive(at(3).renewal(0, { autoRenew: false }), day(6))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
  });

  it('emits no change of state for an older statement, even if it was unknown', () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0));
    history.receive(at(10).period(0));
    expect(history.receive(at(5).renewal(0, { autoRenew: false }), day(11))).toEqual([]);
    expect(history.state.autoRenewalStatus).toBe('will_not_renew');
    expect(history.pass(30)).toEqual(['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE']);
  });

  it('decides the same way if two sources contradict each other at the same time', () => {
    const [a, b] = [at(1, 'signed').renewal(0, { autoRenew: false }), at(1, 'api').renewal(0)];
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      const history = subscribed();
      for (const report of order) history.receive(report, day(2));
      expect(history.state.autoRenewalStatus).toBe('will_not_renew');
    }
  });

  it('relates a statement without a period to the period of its time', () => {
    const { renewal } = at(31).with({ renewal: register(day(31), renewalFact({ autoRenew: false })) })
      .observation.facts;
    const history = subscribed('app_store', 2);
    expect(history.receive(at(31).with({ renewal }))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    // A later renewal implies that the store has charged again.
    expect(history.receive(at(60).period(2))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 90]);
  });

  it('corrects the ledger when the price changes', () => {
    const history = new SubscriptionHistory();
    const price = (
      amountMicros: number | null,
      source: 'device' | 'store' | 'unknown',
      currency = 'USD',
    ) => ({
      price: { amountMicros, currency, source },
    });
    history.receive(at(0).period(0, price(null, 'unknown')));
    history.receive(at(1).period(0, price(2_000_000, 'device')));
    history.receive(at(2).period(0, price(3_000_000, 'store')));
    history.receive(at(3).period(0, price(1_000_000, 'device')));
    history.receive(at(4).period(0, price(5_000_000, 'store', 'EUR')));
    expect(
      history.ledger.map(({ kind, kindSeq, price }) => [kind, kindSeq, price.amountMicros, price.currency]),
    ).toEqual([
      ['purchase', 0, null, 'USD'],
      ['correction', 0, 2_000_000, 'USD'],
      ['correction', 1, 1_000_000, 'USD'],
      ['correction', 2, -3_000_000, 'USD'],
      ['correction', 3, 5_000_000, 'EUR'],
    ]);
  });

  it('uses the last known price for a renewal without one', () => {
    const history = subscribed();
    const price = { amountMicros: null, currency: null, source: 'unknown' } as const;
    history.receive(at(30).period(1, { price }).renewal(1));
    expect(history.lastEvent?.price.amountMicros).toBe(PRICE_MICROS);
    expect(history.money.at(-1)).toEqual(['renewal', PRICE_MICROS]);
    history.receive(at(60).period(2, { price, storeProductId: 'other' }).renewal(2));
    expect(history.lastEvent?.price.amountMicros).toBeNull();
  });

  it('reads what an earlier version stored', () => {
    const stored: Subscription = JSON.parse(
      JSON.stringify({
        ...unknown,
        facts: at(0)
          .period(0)
          .with({ renewal: register(day(0), renewalFact()) }).observation.facts,
        factsAtMs: day(0),
        emitted: { opened: ['p0'], accessOpen: true, unsubscribeOpen: false, expirations: {} },
      }),
    ) as Subscription;
    expect(applySubscription(stored, null, day(1))).toMatchObject({ changed: false, events: [], ledger: [] });
    const { events, ledger } = applySubscription(stored, at(3).refund(0).observation, day(3));
    expect(events.map(({ type }) => type)).toEqual(['CANCELLATION', 'EXPIRATION']);
    expect(ledger.map(({ kind }) => kind)).toEqual(['refund']);
  });
});
