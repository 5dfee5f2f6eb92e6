import { grantEnd, grantObservation, grantProductId, grantRevocation, isDuplicateGrant } from '../index.js';
import {
  at,
  day,
  DAY_MS,
  SubscriptionHistory,
  PRICE_MICROS,
  START_MS,
  subscribed,
} from '../testing/subscription-history.js';

const HOUR_MS = 3_600_000;

describe('lapse and return', () => {
  it('row 71: bought again on the same subscription after a lapse, also another product', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, { autoRenew: false }));
    history.pass(30);
    const again = at(50).period(2, { storeProductId: 'yearly', startMs: day(50), endMs: day(415) });
    expect(history.receive(again.renewal(2))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 415]);
  });

  it('row 72: a new token after a lapse is a new subscription', () => {
    const old = subscribed('play_store');
    old.receive(at(2).renewal(0, { autoRenew: false }));
    expect(old.pass(30)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    const next = new SubscriptionHistory('play_store', 'sub_2');
    expect(
      next.receive(
        at(50)
          .period(0, { startMs: day(50), endMs: day(80) })
          .renewal(0),
      ),
    ).toEqual(['INITIAL_PURCHASE']);
  });
});

describe('price', () => {
  it('row 73: the store asks for consent to a higher price', () => {
    const history = subscribed();
    expect(history.receive(at(5).renewal(0, { priceIncrease: 'pending' }))).toEqual([
      'PRICE_INCREASE_CONSENT_REQUIRED',
    ]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.receive(at(6).renewal(0, { priceIncrease: 'pending' }))).toEqual([]);
  });

  it('row 74: consent is emitted if it was asked for; otherwise a price change is only a notice', () => {
    const asked = subscribed();
    asked.receive(at(5).renewal(0, { priceIncrease: 'pending' }));
    expect(asked.receive(at(6).renewal(0, { priceIncrease: 'accepted' }))).toEqual([
      'PRICE_INCREASE_CONSENT_APPROVED',
    ]);
    expect(asked.receive(at(7).renewal(0, { priceIncrease: 'accepted' }))).toEqual([]);
    expect(subscribed().receive(at(6).renewal(0, { priceIncrease: 'accepted' }))).toEqual([]);
  });

  it('row 75: the subscription ends without consent', () => {
    const history = subscribed();
    history.receive(at(5).renewal(0, { priceIncrease: 'pending' }));
    expect(
      history.receive(at(30).renewal(0, { autoRenew: false, ended: true, cancelReason: 'PRICE_INCREASE' })),
    ).toEqual(['CANCELLATION/PRICE_INCREASE', 'EXPIRATION/PRICE_INCREASE']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 76: a price that needs no consent shows in the next renewal', () => {
    const history = subscribed();
    const price = { amountMicros: 4_990_000, currency: 'USD', source: 'store' } as const;
    expect(history.receive(at(30).period(1, { price }).renewal(1))).toEqual(['RENEWAL']);
    expect(history.lastEvent?.price).toEqual(price);
    expect(history.money.at(-1)).toEqual(['renewal', 4_990_000]);
  });
});

describe('extension and withdrawal', () => {
  it('row 77: an extension is emitted once, for the action and its notification', () => {
    const history = subscribed();
    expect(history.receive(at(5, 'api').period(0, { endMs: day(37) }))).toEqual(['SUBSCRIPTION_EXTENDED']);
    expect(history.lastEvent).toMatchObject({ expirationAtMs: day(37), price: { amountMicros: 0 } });
    expect(history.receive(at(5.001).period(0, { endMs: day(37) }))).toEqual([]);
    expect(history.receive(at(5.002).period(0, { endMs: day(30) }))).toEqual([]);
    expect(history.receive(at(5.003).period(0, { endMs: day(37) }))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 37]);
    expect(history.money).toEqual([['purchase', PRICE_MICROS]]);
  });

  it('row 77: an extension that is reported late is emitted by the clock, once', () => {
    const history = subscribed();
    history.receive(at(10).renewal(0));
    const late = at(5, 'api').period(0, { endMs: day(37) });
    expect(history.receive(late, day(11))).toEqual([]);
    expect(history.state.nextDueAtMs).toBe(day(11) + 1);
    expect(history.pass(12)).toEqual(['SUBSCRIPTION_EXTENDED']);
    expect(history.lastEvent).toMatchObject({ expirationAtMs: day(37), occurredAtMs: day(5) });
    expect(history.receive(late, day(13))).toEqual([]);
    expect(history.pass(14)).toEqual([]);
    expect(history.receive(at(15).period(0, { endMs: day(44) }))).toEqual(['SUBSCRIPTION_EXTENDED']);
  });

  it('row 77: an extension that is reported after EXPIRATION gives access again', () => {
    const history = subscribed();
    expect(history.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    history.receive(at(31).refund(0, { kind: 'partial', amountMicros: 1_000_000 }));
    expect(history.receive(at(29).period(0, { endMs: day(37) }), day(32))).toEqual([]);
    expect(history.pass(32.1)).toEqual(['SUBSCRIPTION_EXTENDED']);
    expect(history.receive(at(37).renewal(0))).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
  });

  it('row 78: a product that was withdrawn', () => {
    const history = subscribed();
    expect(
      history.receive(at(30).renewal(0, { autoRenew: false, ended: true, cancelReason: 'UNKNOWN' })),
    ).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
  });
});

describe('promotional grants', () => {
  const grant = {
    key: 'grant_1',
    storeProductId: grantProductId('pro', 'weekly'),
    transactionId: '0123456789abcdef0123456789abcdef',
    grantedAtMs: START_MS,
    endMs: grantEnd('weekly', START_MS),
  };
  const granted = (endMs: number | null = grant.endMs): SubscriptionHistory => {
    const history = new SubscriptionHistory('promotional');
    history.observe(grantObservation({ ...grant, endMs }));
    return history;
  };

  it('row 79: a grant is an INITIAL_PURCHASE without money', () => {
    const history = granted();
    expect(history.events).toMatchObject([
      {
        type: 'INITIAL_PURCHASE',
        periodType: 'promotional',
        price: { amountMicros: 0 },
        storeProductId: 'rc_promo_pro_weekly',
        transactionId: grant.transactionId,
        originalTransactionId: grant.transactionId,
      },
    ]);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 7]);
    expect(history.state.unsubscribeAtMs).toBe(START_MS);
    expect(history.ledger).toEqual([]);
  });

  it('row 79: a grant can have no end; a lifetime grant lasts about two hundred years', () => {
    expect(granted(null).now).toEqual(['active', 'will_not_renew', true, null]);
    expect(granted(null).state.nextDueAtMs).toBeNull();
    expect((grantEnd('lifetime', START_MS) - START_MS) / DAY_MS).toBeCloseTo(200 * 365.2425, -1);
  });

  it.each([
    [2 * HOUR_MS, true],
    [-2 * HOUR_MS, true],
    [2 * HOUR_MS + 1, false],
    [-2 * HOUR_MS - 1, false],
    [0, true],
  ])('row 80: a grant that ends %i ms after a running one is a duplicate: %s', (apart, duplicate) => {
    expect(isDuplicateGrant([{ endMs: null }, { endMs: day(7) }], day(7) + apart)).toBe(duplicate);
  });

  it('row 80: a grant without an end duplicates only another one without an end', () => {
    expect(isDuplicateGrant([{ endMs: day(7) }], null)).toBe(false);
    expect(isDuplicateGrant([{ endMs: null }], null)).toBe(true);
    expect(isDuplicateGrant([], day(7))).toBe(false);
  });

  it('row 81: a grant that is revoked ends at once', () => {
    const history = granted();
    expect(history.observe(grantRevocation(grant, day(3)))).toEqual([
      'CANCELLATION/DEVELOPER_INITIATED',
      'EXPIRATION/DEVELOPER_INITIATED',
    ]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 3]);
    expect(history.lastEvent?.expirationAtMs).toBe(day(3));
    expect(history.observe(grantRevocation(grant, day(3)))).toEqual([]);
    const forEver = granted(null);
    forEver.observe(grantRevocation(grant, day(3)));
    expect(forEver.now).toEqual(['expired', 'will_not_renew', false, 3]);
  });

  it('row 82: a grant that ends is not cancelled', () => {
    const history = granted();
    expect(history.state.nextDueAtMs).toBe(day(7));
    expect(history.pass(8)).toEqual(['EXPIRATION/DEVELOPER_INITIATED']);
    expect(history.lastEvent).toMatchObject({ expirationAtMs: day(7), occurredAtMs: day(7) });
    expect(history.pass(9)).toEqual([]);
  });
});
