import { currentState, type RenewalFact } from '../index.js';
import { at, day, SubscriptionHistory, subscribed } from '../testing/subscription-history.js';

const off: Partial<RenewalFact> = { autoRenew: false };

describe('cancellation', () => {
  it('row 23: cancelled in the trial', () => {
    const history = subscribed('app_store', 1, { kind: 'trial' });
    expect(history.receive(at(2).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(history.now).toEqual(['trialing', 'will_not_renew', true, 30]);
    expect(history.lastEvent).toMatchObject({
      periodType: 'trial',
      price: { amountMicros: 0 },
      occurredAtMs: day(2),
    });
  });

  it('row 24: cancelled in a paid period', () => {
    const history = subscribed();
    expect(history.receive(at(2).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 30]);
    expect(history.state.unsubscribeAtMs).toBe(day(2));
  });

  it('row 25: a cancellation by the developer is emitted once, for the action and its notification', () => {
    const history = subscribed('play_store');
    const byUs = { ...off, cancelReason: 'DEVELOPER_INITIATED' } as const;
    expect(history.receive(at(2, 'api').renewal(0, byUs))).toEqual(['CANCELLATION/DEVELOPER_INITIATED']);
    expect(history.receive(at(2.001, 'api').renewal(0, byUs))).toEqual([]);
    expect(history.pass(30)).toEqual(['EXPIRATION/DEVELOPER_INITIATED']);
  });

  it('row 26: cancelled by the store because a higher price was not accepted', () => {
    const history = subscribed('play_store');
    expect(history.receive(at(2).renewal(0, { ...off, cancelReason: 'PRICE_INCREASE' }))).toEqual([
      'CANCELLATION/PRICE_INCREASE',
    ]);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 30]);
  });

  it('row 27: auto-renew is turned on again before the end', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, off));
    expect(history.receive(at(3).renewal(0))).toEqual(['UNCANCELLATION']);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.receive(at(4).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(new Set(history.events.map(({ dedupeKey }) => dedupeKey)).size).toBe(history.events.length);
  });

  it('row 27: a new period alone means UNCANCELLATION', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, off));
    expect(history.receive(at(30).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(history.receive(at(31).renewal(1))).toEqual([]);
    expect(history.receive(at(32).renewal(1, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
  });

  it('row 28: a cancelled period ends', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, off));
    expect(history.pass(29.99)).toEqual([]);
    expect(history.pass(31)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
    expect(history.lastEvent).toMatchObject({ expirationAtMs: day(30), occurredAtMs: day(30) });
    expect(
      history.receive(at(31.1).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' })),
    ).toEqual([]);
  });

  it('row 28: an end that no store reported has the reason UNSUBSCRIBE if a cancellation was recorded', () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0));
    history.pass(30);
    expect(history.state).toMatchObject({ givesAccess: false, unsubscribeAtMs: null });
    expect(history.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    expect(history.state).toMatchObject({ autoRenewalStatus: 'will_not_renew', unsubscribeAtMs: day(30) });
    expect(currentState(history.subscription, day(40)).unsubscribeAtMs).toBe(day(30));
    expect(history.receive(at(50).period(1, { startMs: day(50), endMs: day(80) }))).toEqual(['RENEWAL']);
    expect(history.state).toMatchObject({ autoRenewalStatus: 'will_renew', unsubscribeAtMs: null });
  });

  it('row 29: auto-renew turned off after the end is no event', () => {
    const history = subscribed();
    history.receive(at(30).renewal(0, { inRetry: true }));
    expect(
      history.receive(at(90).renewal(0, { ...off, ended: true, cancelReason: 'BILLING_ERROR' })),
    ).toEqual([]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 30: instalments continue to the end of the commitment', () => {
    const history = subscribed('play_store');
    const scheduled = { ...off, commitmentEndsAtMs: day(90) };
    expect(history.receive(at(2).renewal(0, scheduled))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(history.now).toEqual(['active', 'will_not_renew', true, 90]);
    expect(history.receive(at(30).period(1).renewal(1, scheduled))).toEqual(['RENEWAL']);
    expect(history.receive(at(60).period(2).renewal(2, scheduled))).toEqual(['RENEWAL']);
    expect(history.pass(90)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
  });
});

describe('billing trouble', () => {
  const grace: Partial<RenewalFact> = { inRetry: true, graceUntilMs: day(36) };
  const retry: Partial<RenewalFact> = { inRetry: true };

  it('row 31: a charge fails with grace', () => {
    const history = subscribed();
    expect(history.receive(at(29).renewal(0, grace))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
    ]);
    expect(history.events.at(-2)).toMatchObject({
      gracePeriodExpirationAtMs: day(36),
      expirationAtMs: day(30),
    });
    expect(history.now).toEqual(['active', 'will_renew', true, 36]);
    expect(history.pass(30)).toEqual([]);
    expect(history.now).toEqual(['in_grace_period', 'will_renew', true, 36]);
  });

  it.each([
    ['tried early', 29.5, 29.5],
    ['reported later', 31, 30],
  ])(
    'row 31: a failed charge has the time it was due, or that of an earlier attempt (%s)',
    (_, said, dated) => {
      const history = subscribed();
      history.receive(at(said).renewal(0, { inRetry: true, graceUntilMs: day(36) }));
      expect(history.state.billingIssueAtMs).toBe(day(dated));
      expect(history.events.map(({ occurredAtMs }) => occurredAtMs).slice(-2)).toEqual([
        day(dated),
        day(dated),
      ]);
    },
  );

  it('row 31: grace reported after EXPIRATION gives access again until grace ends', () => {
    const history = subscribed();
    expect(history.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const failed = at(31.5).renewal(0, { inRetry: true, graceUntilMs: day(46) });
    expect(history.receive(failed)).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(history.events.at(-2)?.gracePeriodExpirationAtMs).toBe(day(46));
    expect(history.now).toEqual(['in_grace_period', 'will_renew', true, 46]);
    expect(history.pass(46)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 31: grace reported after BILLING_ISSUE and EXPIRATION gives access with a RENEWAL', () => {
    const history = subscribed();
    const lost = ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'];
    expect(history.receive(at(30.1).renewal(0, { inRetry: true }))).toEqual(lost);
    const graced = at(31).renewal(0, { inRetry: true, graceUntilMs: day(46) });
    expect(history.receive(graced)).toEqual(['RENEWAL']);
    expect(history.lastEvent).toMatchObject({ dedupeKey: 'sub_1:rn:p0:1', expirationAtMs: day(46) });
    expect(history.pass(46)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 32: a charge fails without grace, after the end', () => {
    const history = subscribed();
    expect(history.receive(at(30).renewal(0, retry))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
      'EXPIRATION/BILLING_ERROR',
    ]);
    expect(history.events.at(-3)?.gracePeriodExpirationAtMs).toBeNull();
    expect(history.now).toEqual(['in_billing_retry', 'will_renew', false, 30]);
  });

  it('row 33: a charge fails without grace, before the end', () => {
    const history = subscribed();
    expect(history.receive(at(29).renewal(0, retry))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
    ]);
    expect(history.now).toEqual(['active', 'will_renew', true, 30]);
    expect(history.pass(30)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 34: recovered in grace, without UNCANCELLATION', () => {
    const history = subscribed();
    history.receive(at(30).renewal(0, grace));
    expect(history.receive(at(33).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 60]);
    expect(history.state).toMatchObject({ billingIssueAtMs: null, graceEndsAtMs: null });
  });

  it('row 35: grace ends', () => {
    const history = subscribed();
    history.receive(at(30).renewal(0, grace));
    expect(history.pass(36)).toEqual(['EXPIRATION/BILLING_ERROR']);
    expect(history.now).toEqual(['in_billing_retry', 'will_renew', false, 36]);
    expect(
      history.receive(
        at(36.1)
          .renewal(0, retry)
          .ends(0, { grace: day(36) }),
      ),
    ).toEqual([]);
    expect(history.now).toEqual(['in_billing_retry', 'will_renew', false, 36]);
  });

  it('row 36: recovered after access ended: access from the recovery on', () => {
    const history = subscribed();
    history.receive(at(30).renewal(0, retry));
    expect(
      history.receive(
        at(40)
          .period(1, { startMs: day(40), endMs: day(70) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.now).toEqual(['active', 'will_renew', true, 70]);
    expect(history.state.periodStartedAtMs).toBe(day(40));
  });

  it('row 37: the store gives up, and a later expiry date does not restore access', () => {
    const history = subscribed('play_store');
    history.receive(at(30).renewal(0, retry));
    const givenUp = at(60).renewal(0, { ...off, ended: true, cancelReason: 'BILLING_ERROR' });
    expect(history.receive(givenUp.ends(0, { expired: day(60) }))).toEqual([]);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 38: the customer cancels in grace (Play: ends at once)', () => {
    const history = subscribed('play_store');
    history.receive(
      at(30)
        .renewal(0, grace)
        .ends(0, { grace: day(36) }),
    );
    const gone = at(32).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' });
    expect(history.receive(gone.ends(0, { expired: day(32) }))).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 32]);
  });

  it('row 38: the customer cancels in grace (App Store: at the end of grace)', () => {
    const history = subscribed();
    history.receive(at(30).renewal(0, grace));
    expect(history.receive(at(32).renewal(0, { ...grace, ...off }))).toEqual([]);
    expect(history.now).toEqual(['in_grace_period', 'will_not_renew', true, 36]);
    expect(history.pass(36)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
  });

  it('row 39: the customer cancels on hold', () => {
    const history = subscribed('play_store');
    history.receive(at(30).renewal(0, retry));
    expect(history.receive(at(35).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' }))).toEqual(
      [],
    );
    expect(history.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 40: further failed attempts are the same billing issue', () => {
    const history = subscribed();
    history.receive(at(29).renewal(0, grace));
    expect(history.receive(at(29.2).renewal(0, grace))).toEqual([]);
    expect(history.receive(at(29.4).renewal(0))).toEqual([]);
    expect(history.receive(at(29.6).renewal(0, grace))).toEqual([]);
    expect(history.pass(31)).toEqual([]);
    expect(history.events.filter(({ type }) => type === 'BILLING_ISSUE')).toHaveLength(1);
  });

  it("row 41: the trial's first charge fails, and is made later", () => {
    const history = new SubscriptionHistory();
    history.receive(at(0).period(0, { kind: 'trial' }).renewal(0));
    expect(history.receive(at(30).renewal(0, grace))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
    ]);
    expect(history.lastEvent?.periodType).toBe('trial');
    expect(history.now).toEqual(['in_grace_period', 'will_renew', true, 36]);
    expect(history.receive(at(33).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(history.lastEvent?.isTrialConversion).toBe(true);
  });
});
