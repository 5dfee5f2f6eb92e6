import { currentState, type RenewalFact } from '../index.js';
import { at, day, Life, subscribed } from '../testing/life.js';

const off: Partial<RenewalFact> = { autoRenew: false };

describe('cancellation', () => {
  it('row 23: cancelled in the trial', () => {
    const life = subscribed('app_store', 1, { kind: 'trial' });
    expect(life.hear(at(2).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(life.now).toEqual(['trialing', 'will_not_renew', true, 30]);
    expect(life.lastEvent).toMatchObject({
      periodType: 'trial',
      price: { amountMicros: 0 },
      occurredAtMs: day(2),
    });
  });

  it('row 24: cancelled in a paid period', () => {
    const life = subscribed();
    expect(life.hear(at(2).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(life.now).toEqual(['active', 'will_not_renew', true, 30]);
    expect(life.state.unsubscribeAtMs).toBe(day(2));
  });

  it('row 25: a cancellation by the developer is emitted once, for the action and its notification', () => {
    const life = subscribed('play_store');
    const byUs = { ...off, cancelReason: 'DEVELOPER_INITIATED' } as const;
    expect(life.hear(at(2, 'api').renewal(0, byUs))).toEqual(['CANCELLATION/DEVELOPER_INITIATED']);
    expect(life.hear(at(2.001, 'api').renewal(0, byUs))).toEqual([]);
    expect(life.pass(30)).toEqual(['EXPIRATION/DEVELOPER_INITIATED']);
  });

  it('row 26: cancelled by the store because a higher price was not accepted', () => {
    const life = subscribed('play_store');
    expect(life.hear(at(2).renewal(0, { ...off, cancelReason: 'PRICE_INCREASE' }))).toEqual([
      'CANCELLATION/PRICE_INCREASE',
    ]);
    expect(life.now).toEqual(['active', 'will_not_renew', true, 30]);
  });

  it('row 27: auto-renew is turned on again before the end', () => {
    const life = subscribed();
    life.hear(at(2).renewal(0, off));
    expect(life.hear(at(3).renewal(0))).toEqual(['UNCANCELLATION']);
    expect(life.now).toEqual(['active', 'will_renew', true, 30]);
    expect(life.hear(at(4).renewal(0, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(new Set(life.events.map(({ dedupeKey }) => dedupeKey)).size).toBe(life.events.length);
  });

  it('row 27: a new period means UNCANCELLATION by itself', () => {
    const life = subscribed();
    life.hear(at(2).renewal(0, off));
    expect(life.hear(at(30).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(life.hear(at(31).renewal(1))).toEqual([]);
    expect(life.hear(at(32).renewal(1, off))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
  });

  it('row 28: a cancelled period ends', () => {
    const life = subscribed();
    life.hear(at(2).renewal(0, off));
    expect(life.pass(29.99)).toEqual([]);
    expect(life.pass(31)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(life.now).toEqual(['expired', 'will_not_renew', false, 30]);
    expect(life.lastEvent).toMatchObject({ expirationAtMs: day(30), occurredAtMs: day(30) });
    expect(life.hear(at(31.1).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' }))).toEqual([]);
  });

  it('row 28: an end that no store reported has the reason UNSUBSCRIBE if a cancellation was recorded', () => {
    const life = new Life();
    life.hear(at(0).period(0));
    life.pass(30);
    expect(life.state).toMatchObject({ givesAccess: false, unsubscribeAtMs: null });
    expect(life.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    expect(life.state).toMatchObject({ autoRenewalStatus: 'will_not_renew', unsubscribeAtMs: day(30) });
    expect(currentState(life.subscription, day(40)).unsubscribeAtMs).toBe(day(30));
    expect(life.hear(at(50).period(1, { startMs: day(50), endMs: day(80) }))).toEqual(['RENEWAL']);
    expect(life.state).toMatchObject({ autoRenewalStatus: 'will_renew', unsubscribeAtMs: null });
  });

  it('row 29: auto-renew turned off after the end is no event', () => {
    const life = subscribed();
    life.hear(at(30).renewal(0, { inRetry: true }));
    expect(life.hear(at(90).renewal(0, { ...off, ended: true, cancelReason: 'BILLING_ERROR' }))).toEqual([]);
    expect(life.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 30: instalments continue to the end of the commitment', () => {
    const life = subscribed('play_store');
    const scheduled = { ...off, commitmentEndsAtMs: day(90) };
    expect(life.hear(at(2).renewal(0, scheduled))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
    expect(life.now).toEqual(['active', 'will_not_renew', true, 90]);
    expect(life.hear(at(30).period(1).renewal(1, scheduled))).toEqual(['RENEWAL']);
    expect(life.hear(at(60).period(2).renewal(2, scheduled))).toEqual(['RENEWAL']);
    expect(life.pass(90)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
  });
});

describe('billing trouble', () => {
  const grace: Partial<RenewalFact> = { inRetry: true, graceUntilMs: day(36) };
  const retry: Partial<RenewalFact> = { inRetry: true };

  it('row 31: a charge fails with grace', () => {
    const life = subscribed();
    expect(life.hear(at(29).renewal(0, grace))).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(life.events.at(-2)).toMatchObject({ gracePeriodExpirationAtMs: day(36), expirationAtMs: day(30) });
    expect(life.now).toEqual(['active', 'will_renew', true, 36]);
    expect(life.pass(30)).toEqual([]);
    expect(life.now).toEqual(['in_grace_period', 'will_renew', true, 36]);
  });

  it.each([
    ['tried early', 29.5, 29.5],
    ['told later', 31, 30],
  ])(
    'row 31: a failed charge has the time it was due, or that of an earlier attempt (%s)',
    (_, said, dated) => {
      const life = subscribed();
      life.hear(at(said).renewal(0, { inRetry: true, graceUntilMs: day(36) }));
      expect(life.state.billingIssueAtMs).toBe(day(dated));
      expect(life.events.map(({ occurredAtMs }) => occurredAtMs).slice(-2)).toEqual([day(dated), day(dated)]);
    },
  );

  it('row 31: grace reported after EXPIRATION gives access again until grace ends', () => {
    const life = subscribed();
    expect(life.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const failed = at(31.5).renewal(0, { inRetry: true, graceUntilMs: day(46) });
    expect(life.hear(failed)).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(life.events.at(-2)?.gracePeriodExpirationAtMs).toBe(day(46));
    expect(life.now).toEqual(['in_grace_period', 'will_renew', true, 46]);
    expect(life.pass(46)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 31: grace reported after BILLING_ISSUE and EXPIRATION gives access with a RENEWAL', () => {
    const life = subscribed();
    const lost = ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'];
    expect(life.hear(at(30.1).renewal(0, { inRetry: true }))).toEqual(lost);
    const graced = at(31).renewal(0, { inRetry: true, graceUntilMs: day(46) });
    expect(life.hear(graced)).toEqual(['RENEWAL']);
    expect(life.lastEvent).toMatchObject({ dedupeKey: 'sub_1:rn:p0:1', expirationAtMs: day(46) });
    expect(life.pass(46)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 32: a charge fails without grace, after the end', () => {
    const life = subscribed();
    expect(life.hear(at(30).renewal(0, retry))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
      'EXPIRATION/BILLING_ERROR',
    ]);
    expect(life.events.at(-3)?.gracePeriodExpirationAtMs).toBeNull();
    expect(life.now).toEqual(['in_billing_retry', 'will_renew', false, 30]);
  });

  it('row 33: a charge fails without grace, before the end', () => {
    const life = subscribed();
    expect(life.hear(at(29).renewal(0, retry))).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(life.now).toEqual(['active', 'will_renew', true, 30]);
    expect(life.pass(30)).toEqual(['EXPIRATION/BILLING_ERROR']);
  });

  it('row 34: recovered in grace, without UNCANCELLATION', () => {
    const life = subscribed();
    life.hear(at(30).renewal(0, grace));
    expect(life.hear(at(33).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(life.now).toEqual(['active', 'will_renew', true, 60]);
    expect(life.state).toMatchObject({ billingIssueAtMs: null, graceEndsAtMs: null });
  });

  it('row 35: grace ends', () => {
    const life = subscribed();
    life.hear(at(30).renewal(0, grace));
    expect(life.pass(36)).toEqual(['EXPIRATION/BILLING_ERROR']);
    expect(life.now).toEqual(['in_billing_retry', 'will_renew', false, 36]);
    expect(
      life.hear(
        at(36.1)
          .renewal(0, retry)
          .ends(0, { grace: day(36) }),
      ),
    ).toEqual([]);
    expect(life.now).toEqual(['in_billing_retry', 'will_renew', false, 36]);
  });

  it('row 36: recovered after access ended: access from the recovery on', () => {
    const life = subscribed();
    life.hear(at(30).renewal(0, retry));
    expect(
      life.hear(
        at(40)
          .period(1, { startMs: day(40), endMs: day(70) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(life.now).toEqual(['active', 'will_renew', true, 70]);
    expect(life.state.periodStartedAtMs).toBe(day(40));
  });

  it('row 37: the store gives up, and a later expiry date does not restore access', () => {
    const life = subscribed('play_store');
    life.hear(at(30).renewal(0, retry));
    const givenUp = at(60).renewal(0, { ...off, ended: true, cancelReason: 'BILLING_ERROR' });
    expect(life.hear(givenUp.ends(0, { expired: day(60) }))).toEqual([]);
    expect(life.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 38: the customer cancels in grace (Play: ends at once)', () => {
    const life = subscribed('play_store');
    life.hear(
      at(30)
        .renewal(0, grace)
        .ends(0, { grace: day(36) }),
    );
    const gone = at(32).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' });
    expect(life.hear(gone.ends(0, { expired: day(32) }))).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(life.now).toEqual(['expired', 'will_not_renew', false, 32]);
  });

  it('row 38: the customer cancels in grace (App Store: at the end of grace)', () => {
    const life = subscribed();
    life.hear(at(30).renewal(0, grace));
    expect(life.hear(at(32).renewal(0, { ...grace, ...off }))).toEqual([]);
    expect(life.now).toEqual(['in_grace_period', 'will_not_renew', true, 36]);
    expect(life.pass(36)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
  });

  it('row 39: the customer cancels on hold', () => {
    const life = subscribed('play_store');
    life.hear(at(30).renewal(0, retry));
    expect(life.hear(at(35).renewal(0, { ...off, ended: true, cancelReason: 'UNSUBSCRIBE' }))).toEqual([]);
    expect(life.now).toEqual(['expired', 'will_not_renew', false, 30]);
  });

  it('row 40: further failed attempts are the same billing issue', () => {
    const life = subscribed();
    life.hear(at(29).renewal(0, grace));
    expect(life.hear(at(29.2).renewal(0, grace))).toEqual([]);
    expect(life.hear(at(29.4).renewal(0))).toEqual([]);
    expect(life.hear(at(29.6).renewal(0, grace))).toEqual([]);
    expect(life.pass(31)).toEqual([]);
    expect(life.events.filter(({ type }) => type === 'BILLING_ISSUE')).toHaveLength(1);
  });

  it("row 41: the trial's first charge fails, and is made later", () => {
    const life = new Life();
    life.hear(at(0).period(0, { kind: 'trial' }).renewal(0));
    expect(life.hear(at(30).renewal(0, grace))).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(life.lastEvent?.periodType).toBe('trial');
    expect(life.now).toEqual(['in_grace_period', 'will_renew', true, 36]);
    expect(life.hear(at(33).period(1).renewal(1))).toEqual(['RENEWAL']);
    expect(life.lastEvent?.isTrialConversion).toBe(true);
  });
});
