import type { RenewalFact } from '../index.js';
import { at, day, SubscriptionHistory, PRICE_MICROS, subscribed } from '../testing/subscription-history.js';

describe('pause', () => {
  const scheduled: Partial<RenewalFact> = { pauseScheduled: true };
  const paused: Partial<RenewalFact> = { paused: true, autoResumeAtMs: day(60) };

  it('row 42: a pause is scheduled', () => {
    const history = subscribed('play_store');
    expect(history.receive(at(5).renewal(0, scheduled))).toEqual(['SUBSCRIPTION_PAUSED']);
    expect(history.lastEvent?.autoResumeAtMs).toBeNull();
    expect(history.now).toEqual(['active', 'will_pause', true, 30]);
  });

  it('row 43: a changed pause schedule is no event, and the next renewal clears it', () => {
    const history = subscribed('play_store');
    history.receive(at(5).renewal(0, scheduled));
    expect(history.receive(at(6).renewal(0, { ...scheduled, autoResumeAtMs: day(70) }))).toEqual([]);
    expect(history.receive(at(30).period(1))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
  });

  it('row 44: the pause begins', () => {
    const history = subscribed('play_store');
    history.receive(at(5).renewal(0, scheduled));
    expect(history.receive(at(30).renewal(0, paused))).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    expect(history.now).toEqual(['paused', 'will_renew', false, 30]);
    expect(history.state).toMatchObject({ autoResumeAtMs: day(60), nextDueAtMs: day(60) });
  });

  it('row 44: the pause begins on time, before the store reports it', () => {
    const history = subscribed('play_store');
    history.receive(at(5).renewal(0, scheduled));
    expect(history.pass(30)).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    expect(history.now).toEqual(['paused', 'will_renew', false, 30]);
    expect(history.receive(at(30.1).renewal(0, paused))).toEqual([]);
  });

  it('row 45: resumed with a new charge', () => {
    const history = subscribed('play_store');
    history.receive(at(30).renewal(0, paused));
    expect(
      history.receive(
        at(60)
          .period(1, { startMs: day(60), endMs: day(90) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 90]);
  });

  it('row 45: a pause lifted before the next charge gives access until then, and may be scheduled again', () => {
    const history = subscribed('stripe');
    history.receive(at(10).renewal(0, { pauseScheduled: true }));
    expect(history.pass(30)).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    expect(
      history.receive(
        at(40)
          .renewal(0)
          .ends(0, { grace: day(60) }),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.lastEvent).toMatchObject({
      dedupeKey: 'sub_1:rn:p0:1',
      price: { amountMicros: 0 },
      expirationAtMs: day(60),
    });
    expect(history.state.givesAccess).toBe(true);
    expect(history.receive(at(45).renewal(0, { pauseScheduled: true }))).toEqual(['SUBSCRIPTION_PAUSED']);
    expect(history.pass(60)).toEqual(['EXPIRATION/SUBSCRIPTION_PAUSED']);
    expect(
      history.receive(
        at(70)
          .period(1, { startMs: day(70), endMs: day(100) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.money).toHaveLength(2);
  });

  it('row 46: the charge at the end of a pause fails', () => {
    const history = subscribed('play_store');
    history.receive(at(30).renewal(0, paused));
    expect(history.receive(at(60).renewal(0, { inRetry: true }))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
    ]);
    expect(history.now).toEqual(['in_billing_retry', 'will_renew', false, 30]);
  });

  it('row 47: cancelled while paused', () => {
    const history = subscribed('play_store');
    history.receive(at(30).renewal(0, paused));
    expect(
      history.receive(at(40).renewal(0, { autoRenew: false, ended: true, cancelReason: 'UNSUBSCRIBE' })),
    ).toEqual([]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });
});

describe('refund and revocation', () => {
  const refunded = ['CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'];

  it('row 48: the current period is refunded in full', () => {
    const history = subscribed();
    expect(history.receive(at(10).refund(0))).toEqual(refunded);
    expect(history.now).toEqual(['expired', 'will_renew', false, 10]);
    const [cancellation, expiration] = history.events.slice(-2);
    expect(cancellation).toMatchObject({
      price: { amountMicros: -PRICE_MICROS, currency: 'USD' },
      expirationAtMs: day(10),
    });
    expect(expiration).toMatchObject({ price: { amountMicros: 0 }, expirationAtMs: day(10) });
    expect(history.ledger.at(-1)).toMatchObject({
      kind: 'refund',
      kindSeq: 0,
      periodKey: 'p0',
      purchasedAtMs: day(10),
      rateAtMs: day(0),
    });
  });

  it('row 48: the store decides whether a refunded subscription renews, until its period ends', () => {
    const history = subscribed();
    history.receive(at(10).refund(0));
    expect(history.receive(at(11).renewal(0, { autoRenew: false, cancelledAtMs: day(11) }))).toEqual([]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 10]);
    history.receive(at(12).renewal(0));
    expect(history.now).toEqual(['expired', 'will_renew', false, 10]);
    history.pass(30);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 10]);
  });

  it('row 49: the refund of an earlier period changes only money', () => {
    const history = subscribed('app_store', 2);
    const before = history.now;
    expect(history.receive(at(40).refund(0, { revokedAtMs: day(3) }))).toEqual([]);
    expect(history.now).toEqual(before);
    expect(history.money.at(-1)).toEqual(['refund', -PRICE_MICROS]);
  });

  it('row 50: refunded after it lapsed', () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0).renewal(0, { autoRenew: false }));
    history.pass(30);
    expect(history.receive(at(35).refund(0))).toEqual(['CANCELLATION/CUSTOMER_SUPPORT']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 51: a partial refund leaves access as it is', () => {
    const history = subscribed();
    expect(history.receive(at(10).refund(0, { kind: 'partial', amountMicros: 3_000_000 }))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.receive(at(11).refund(0, { kind: 'partial', amountMicros: 5_000_000 }))).toEqual([]);
    expect(history.ledger.slice(1).map(({ kindSeq, price }) => [kindSeq, price.amountMicros])).toEqual([
      [0, -3_000_000],
      [1, -2_000_000],
    ]);
  });

  it('row 52: a prorated refund takes access and a share of the price', () => {
    const history = subscribed();
    expect(history.receive(at(15).refund(0, { kind: 'prorated', milliPercent: 50_000 }))).toEqual(refunded);
    expect(history.events.at(-2)?.price.amountMicros).toBe(-PRICE_MICROS / 2);
    expect(history.now).toEqual(['expired', 'will_renew', false, 15]);
  });

  it('row 53: a refund is reversed, and access comes back while the period lasts', () => {
    const history = subscribed();
    history.receive(at(10).refund(0));
    expect(history.receive(at(12).refund(0, { revokedAtMs: null }))).toEqual(['REFUND_REVERSED']);
    expect(history.lastEvent?.price.amountMicros).toBe(PRICE_MICROS);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.receive(at(13).refund(0))).toEqual(refunded);
    expect(history.receive(at(40).refund(0, { revokedAtMs: null }))).toEqual(['REFUND_REVERSED']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
    expect(history.ledger.map(({ kind, kindSeq }) => `${kind} ${kindSeq}`)).toEqual([
      'purchase 0',
      'refund 0',
      'refund_reversal 0',
      'refund 1',
      'refund_reversal 1',
    ]);
    expect(history.ledger.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0)).toBe(PRICE_MICROS);
  });

  it('row 54: a declined refund changes nothing', () => {
    const history = subscribed();
    expect(history.receive(at(10).period(0).renewal(0))).toEqual([]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.ledger).toHaveLength(1);
  });

  it('row 55: a chargeback is a refund', () => {
    const history = subscribed('play_store');
    expect(history.receive(at(10, 'notification_hint').refund(0))).toEqual(refunded);
  });

  it('row 56: a purchase that was never acknowledged is a refund', () => {
    const history = subscribed('play_store');
    const gone = at(3, 'api').refund(0).renewal(0, { autoRenew: false, ended: true });
    expect(history.receive(gone.ends(0, { expired: day(3) }))).toEqual(refunded);
  });

  it('row 57: a new period after a refunded one gives access again', () => {
    const history = subscribed();
    history.receive(at(10).refund(0));
    expect(history.receive(at(30).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
  });

  it('row 58: the end of family sharing ends access without money', () => {
    const history = subscribed('app_store', 1, { ownership: 'family_shared' });
    expect(history.receive(at(10).refund(0, { kind: 'family' }))).toEqual(['EXPIRATION/UNKNOWN']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 10]);
    expect(history.money).toEqual([['purchase', 0]]);
  });

  it('row 58a: family sharing that resumes gives access again, each time', () => {
    const history = subscribed('app_store', 1, { ownership: 'family_shared' });
    const family = { kind: 'family', revokedAtMs: null } as const;
    history.receive(at(10).refund(0, { kind: 'family' }));
    expect(history.receive(at(12).refund(0, family))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.lastEvent).toMatchObject({
      dedupeKey: 'sub_1:rn:p0:1',
      occurredAtMs: day(12),
      ownership: 'family_shared',
      price: { amountMicros: 0 },
      expirationAtMs: day(30),
      renewalNumber: 1,
      isTrialConversion: false,
    });
    expect(history.receive(at(12).refund(0, family), day(13))).toEqual([]);
    expect(history.receive(at(14).refund(0, { kind: 'family' }))).toEqual(['EXPIRATION/UNKNOWN']);
    expect(history.receive(at(16).refund(0, family))).toEqual(['RENEWAL']);
    expect(history.lastEvent?.dedupeKey).toBe('sub_1:rn:p0:2');
    expect(history.receive(at(18).renewal(0, { autoRenew: false }))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(history.pass(30)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(history.money).toEqual([['purchase', 0]]);
  });

  it('row 58a: family sharing that resumes after the period ended gives no access', () => {
    const history = subscribed('app_store', 1, { ownership: 'family_shared' });
    history.receive(at(10).refund(0, { kind: 'family' }));
    expect(history.receive(at(31).refund(0, { kind: 'family', revokedAtMs: null }))).toEqual([]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 58a: family sharing that is reported late is emitted by the clock', () => {
    const history = subscribed('app_store', 1, { ownership: 'family_shared' });
    history.receive(at(10).refund(0, { kind: 'family' }));
    history.receive(at(12).renewal(0));
    expect(history.receive(at(11).refund(0, { kind: 'family', revokedAtMs: null }), day(13))).toEqual([]);
    expect(history.state).toMatchObject({ givesAccess: true, nextDueAtMs: day(13) + 1 });
    expect(history.pass(13.1)).toEqual(['RENEWAL']);
  });

  it('row 59: our refund, its notifications and the list of voided purchases are one refund', () => {
    const history = subscribed('play_store');
    expect(history.receive(at(10, 'api').refund(0))).toEqual(refunded);
    expect(history.receive(at(10.0001, 'notification_hint').refund(0))).toEqual([]);
    expect(
      history.receive(at(10.0002, 'api').refund(0).renewal(0, { autoRenew: false, ended: true })),
    ).toEqual([]);
    expect(history.money).toEqual([
      ['purchase', PRICE_MICROS],
      ['refund', -PRICE_MICROS],
    ]);
  });
});
