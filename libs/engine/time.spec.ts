import fc from 'fast-check';
import { applySubscription, currentState, type SubscriptionState, deriveState } from './index.js';
import { histories } from './testing/histories.js';
import {
  at,
  day,
  DAY_MS,
  type SubscriptionHistory,
  MINUTE_MS,
  ReportBuilder,
  subscribed,
} from './testing/subscription-history.js';
import { World } from './testing/world.js';

/** A state without the time of its next change. */
const still = (state: SubscriptionState): object => ({ ...state, nextDueAtMs: null });

describe('the next due time', () => {
  it('precedes every change, and nothing changes or is emitted before it', () => {
    const times = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(histories, times, ({ store, steps }, shares) => {
        const world = new World(['ann'], store);
        for (const { step, nowMs: at } of steps) {
          if (step.kind === 'receive') world.receive(step.subscription, step.observation, 'ann', at);
        }
        // Events that late statements did not emit are due right after them.
        const nowMs = (steps.at(-1)?.nowMs ?? 0) + 1;
        world.tick(nowMs);
        for (const { subscription, nextDueAtMs } of world.tracked.values()) {
          const state = currentState(subscription, nowMs);
          const until = nextDueAtMs ?? nowMs + 1_000 * DAY_MS;
          expect(until).toBeGreaterThan(nowMs);
          for (const time of [
            ...shares.map((share) => Math.min(until - 1, Math.floor(nowMs + share * (until - nowMs)))),
            until - 1,
          ]) {
            const later = applySubscription(subscription, null, time);
            expect([later.changed, later.events]).toEqual([false, []]);
            expect(still(later.state)).toEqual(still(state));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, SubscriptionHistory, number | null]>([
    ['the end of a running period', subscribed(), 30],
    ['the end of a trial', subscribed('app_store', 1, { kind: 'trial' }), 30],
    ['null for what never ends', subscribed('app_store', 1, { endMs: null }), null],
  ])('equals %s', (_, history, days) => {
    expect(history.state.nextDueAtMs).toBe(days === null ? null : day(days));
  });

  it('equals the start of a period that was paid for early, within the clock tolerance', () => {
    const history = subscribed();
    history.receive(at(29).period(1).renewal(1));
    expect(history.state.nextDueAtMs).toBe(day(30) - 5 * MINUTE_MS);
  });

  it('equals the end of the period, and then the end of grace', () => {
    const history = subscribed();
    history.receive(at(29).renewal(0, { inRetry: true, graceUntilMs: day(36) }));
    expect(history.state.nextDueAtMs).toBe(day(30));
    history.pass(30);
    expect(history.state).toMatchObject({ status: 'in_grace_period', nextDueAtMs: day(36) });
    history.pass(36);
    expect(history.state).toMatchObject({ status: 'in_billing_retry', nextDueAtMs: null });
  });

  it('equals the end of the refunded period after a refund, because the store may still renew', () => {
    const history = subscribed();
    history.receive(at(3).refund(0));
    expect(history.state.nextDueAtMs).toBe(day(30));
    history.pass(30);
    expect(history.state.nextDueAtMs).toBeNull();
  });
});

describe('time alone', () => {
  it('emits the end a day later if the store may still renew, though access ends at once', () => {
    const history = subscribed();
    expect(history.pass(30)).toEqual([]);
    expect(history.state).toMatchObject({ givesAccess: false, nextDueAtMs: day(31) });
    expect(history.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    expect(history.lastEvent).toMatchObject({ expirationAtMs: day(30) });
    expect(history.pass(32)).toEqual([]);
  });

  it('waits an hour only where the store cannot be asked', () => {
    const { subscription } = subscribed('app_store');
    const endMs = day(30);
    const look = (nowMs: number) => applySubscription(subscription, null, nowMs, { storeCanBeAsked: false });
    expect(look(endMs).state).toMatchObject({ givesAccess: false, nextDueAtMs: endMs + 60 * MINUTE_MS });
    expect(look(endMs + 60 * MINUTE_MS - 1).events).toEqual([]);
    expect(look(endMs + 60 * MINUTE_MS).events.map(({ type }) => type)).toEqual([
      'CANCELLATION',
      'EXPIRATION',
    ]);
  });

  it.each([
    [true, 24],
    [false, 1],
  ])(
    'waits from the time when the server listens again (the store can be asked: %s)',
    (storeCanBeAsked, hours) => {
      const { subscription } = subscribed('app_store');
      const listeningSinceMs = day(33);
      const finalMs = listeningSinceMs + hours * 60 * MINUTE_MS;
      const look = (nowMs: number) =>
        applySubscription(subscription, null, nowMs, { storeCanBeAsked, listeningSinceMs });
      expect(look(day(33)).state).toMatchObject({ givesAccess: false, nextDueAtMs: finalMs });
      expect(look(finalMs - 1).events).toEqual([]);
      expect(look(finalMs).events.map(({ type }) => type)).toEqual(['CANCELLATION', 'EXPIRATION']);
      expect(look(finalMs).events.at(-1)).toMatchObject({ occurredAtMs: day(30), expirationAtMs: day(30) });
    },
  );

  it('waits at most a week after the end, however often the server restarts', () => {
    const { subscription } = subscribed('app_store');
    const look = (days: number) =>
      applySubscription(subscription, null, day(days), { listeningSinceMs: day(days) }).events.map(
        ({ type }) => type,
      );
    expect(look(37.9)).toEqual([]);
    expect(look(38)).toEqual(['CANCELLATION', 'EXPIRATION']);
  });

  it('emits no end if the renewal is reported within the day', () => {
    const history = subscribed();
    history.pass(30);
    expect(
      history.receive(
        at(30.1)
          .period(1, { startMs: day(30) })
          .renewal(1),
      ),
    ).toEqual(['RENEWAL']);
    expect(history.pass(31)).toEqual([]);
  });

  it('does not wait if the store reported after the end without a renewal', () => {
    const history = subscribed();
    expect(history.receive(at(30.01, 'api').renewal(0))).toEqual([
      'CANCELLATION/UNKNOWN',
      'EXPIRATION/UNKNOWN',
    ]);
  });

  it('does not wait if the store reported exactly at the end', () => {
    const renewal = subscribed();
    expect(renewal.receive(at(30).renewal(0))).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const period = subscribed();
    expect(period.receive(at(30).period(0))).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const early = subscribed();
    const report = new ReportBuilder(day(30) - 1).period(0).renewal(0);
    expect(early.receive(report, day(30))).toEqual([]);
    expect(early.state.nextDueAtMs).toBe(day(31));
  });

  it('numbers the ends of a period', () => {
    const history = subscribed();
    history.pass(31);
    history.receive(at(32).period(0, { endMs: day(40) }));
    history.pass(41);
    const ends = history.events.filter(({ type }) => type === 'EXPIRATION');
    expect(ends.map(({ dedupeKey }) => dedupeKey)).toEqual(['sub_1:xp:p0:0', 'sub_1:xp:p0:1']);
  });

  it('emits a missed end once, however late and however often it is processed', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, { autoRenew: false }));
    expect(history.pass(400)).toEqual(['EXPIRATION/UNSUBSCRIBE']);
    expect(history.pass(400)).toEqual([]);
    expect(history.pass(401)).toEqual([]);
  });

  it('lets an expired subscription give access again, and expire again under another key', () => {
    const history = subscribed();
    history.receive(at(2).renewal(0, { autoRenew: false }));
    history.pass(30);
    history.receive(
      at(40)
        .period(1, { startMs: day(40), endMs: day(70) })
        .renewal(1, { autoRenew: false }),
    );
    history.pass(70);
    const ends = history.events.filter(({ type }) => type === 'EXPIRATION');
    expect(ends.map(({ expirationAtMs }) => expirationAtMs)).toEqual([day(30), day(70)]);
    expect(new Set(ends.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it.each([
    ['while access continues', 10, { autoRenew: false }, ['CANCELLATION/UNSUBSCRIBE']],
    ['after its end was emitted', 40, { inRetry: true }, ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']],
  ] as const)('emits what only an old statement says, %s', (_, days, renewal, expected) => {
    const history = subscribed();
    history.pass(days);
    history.receive(at(days + 1).refund(0, { kind: 'partial', amountMicros: 1_000_000 }));
    const old = at(days).renewal(0, renewal);
    const heardMs = day(days + 2);
    expect(history.receive(old, heardMs)).toEqual([]);
    expect(history.state.nextDueAtMs).toBe(heardMs + 1);
    expect(history.pass(days + 2.5)).toEqual(expected);
    expect(history.state.nextDueAtMs).toBe(days < 30 ? day(30) : null);
    expect(history.receive(old, day(days + 3))).toEqual([]);
    expect(history.pass(days + 3)).toEqual([]);
  });

  it('leaves nothing from the same time as the newest statement for later', () => {
    const history = subscribed();
    history.receive(at(10).refund(0, { kind: 'partial', amountMicros: 1_000_000 }));
    expect(history.receive(at(10).renewal(0, { autoRenew: false }))).toEqual(['CANCELLATION/UNSUBSCRIBE']);
  });

  it('emits a failed charge reported after the end, but no second end with the other reason', () => {
    const history = subscribed();
    expect(history.pass(38)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const failed = at(30).renewal(0, { inRetry: true, graceUntilMs: day(36) });
    expect(history.receive(failed, day(38))).toEqual(['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR']);
    expect(history.pass(38)).toEqual([]);
    expect(history.state.nextDueAtMs).toBeNull();
  });

  it('emits nothing more when access opens again', () => {
    const history = subscribed();
    expect(history.pass(31)).toEqual(['CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN']);
    const renewal = { inRetry: true, graceUntilMs: day(36), nextProductId: 'yearly' };
    const addOn = { startMs: day(31), endMs: day(60) };
    expect(history.receive(at(31).renewal(0, renewal).addOn('a1', addOn))).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION/BILLING_ERROR',
      'PRODUCT_CHANGE',
      'PRODUCT_CHANGE',
    ]);
    expect(history.pass(31)).toEqual([]);
  });

  it('never restores access', () => {
    const history = subscribed();
    const access = Array.from(
      { length: 60 },
      (_, days) => deriveState(history.subscription.facts, day(days)).givesAccess,
    );
    expect(access.indexOf(false)).toBe(30);
    expect(access.lastIndexOf(true)).toBe(29);
  });
});
