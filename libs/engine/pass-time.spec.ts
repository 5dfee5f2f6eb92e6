import fc from 'fast-check';
import { type SubscriptionChange, type DueSubscription, type EngineEvent, passTime } from './index.js';
import { histories } from './testing/histories.js';
import { at, day, DAY_MS, label, SubscriptionHistory } from './testing/subscription-history.js';
import { World } from './testing/world.js';

function passed(subscriptions: DueSubscription[], untilMs: number): SubscriptionChange[] {
  return passTime(subscriptions, untilMs).steps.map(({ change }) => change);
}

function due(history: SubscriptionHistory): DueSubscription {
  return { subscription: history.subscription, dueAtMs: history.state.nextDueAtMs ?? Infinity };
}

/** A thirty-day subscription, cancelled the day after its purchase. */
function cancelled(id: string, from: number): SubscriptionHistory {
  const history = new SubscriptionHistory('app_store', id);
  history.receive(
    at(from)
      .period(0, { startMs: day(from), endMs: day(from + 30) })
      .renewal(0),
  );
  history.receive(at(from + 1).renewal(0, { autoRenew: false }));
  return history;
}

/** The events emitted when time jumps to each of `times`. */
function emittedBy(subscriptions: DueSubscription[], times: number[]): EngineEvent[] {
  const waiting = new Map(subscriptions.map((entry) => [entry.subscription.id, entry]));
  return times.flatMap((time) =>
    passed([...waiting.values()], time).flatMap(({ subscription, state, events }) => {
      waiting.set(subscription.id, { subscription, dueAtMs: state.nextDueAtMs ?? Infinity });
      return events;
    }),
  );
}

describe('the passing of time for several subscriptions', () => {
  it('emits missed ends in the order in which they were due, each at its own time', () => {
    const subscriptions = [cancelled('late', 20), cancelled('early', 0), cancelled('middle', 10)];
    const changes = passed(subscriptions.map(due), day(400));
    expect(changes.map(({ subscription }) => subscription.id)).toEqual(['early', 'middle', 'late']);
    const events = changes.flatMap((change) => change.events);
    expect(events.map(label)).toEqual(Array(3).fill('EXPIRATION/UNSUBSCRIBE'));
    expect(events.map(({ occurredAtMs }) => occurredAtMs)).toEqual([day(30), day(40), day(50)]);
  });

  it('handles every due time of a subscription, interleaved with those of others', () => {
    const owed = new SubscriptionHistory('app_store', 'owed');
    owed.receive(at(0).period(0).renewal(0));
    const changes = passed([due(owed), due(cancelled('other', 0.5))], day(31));
    expect(
      changes.map(({ subscription, state, events }) => [subscription.id, state.status, events.length]),
    ).toEqual([
      ['owed', 'expired', 0],
      ['other', 'expired', 1],
      ['owed', 'expired', 2],
    ]);
    expect(changes.at(-1)?.state.nextDueAtMs).toBeNull();
  });

  it('does nothing before anything is due', () => {
    const history = cancelled('later', 0);
    expect(passed([due(history)], day(30) - 1)).toEqual([]);
    expect(passed([due(history)], day(30))).toHaveLength(1);
  });

  it('refuses a subscription that would be due for ever', () => {
    const { subscription } = cancelled('broken', 0);
    const broken = { ...subscription, facts: { ...subscription.facts, periods: {} } };
    expect(() => passTime([{ subscription: broken, dueAtMs: day(30) }], day(40))).toThrow(RangeError);
  });

  it('emits the same in one jump as in many, whatever happened before', () => {
    const jumps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 });
    fc.assert(
      fc.property(histories, jumps, ({ store, steps }, days) => {
        const world = new World(['ann'], store);
        for (const { step, nowMs } of steps) {
          if (step.kind === 'receive') world.receive(step.subscription, step.observation, 'ann', nowMs);
        }
        const startMs = steps.at(-1)?.nowMs ?? 0;
        const subscriptions = [...world.tracked.values()].flatMap(({ subscription, nextDueAtMs }) =>
          nextDueAtMs === null ? [] : { subscription, dueAtMs: nextDueAtMs },
        );
        const times = days.toSorted((a, b) => a - b).map((days) => startMs + days * DAY_MS);
        const endMs = startMs + 500 * DAY_MS;
        const emitted = emittedBy(subscriptions, [endMs]);
        expect(emittedBy(subscriptions, [...times, endMs])).toEqual(emitted);
        expect(new Set(emitted.map(({ dedupeKey }) => dedupeKey)).size).toBe(emitted.length);
      }),
      { numRuns: 300 },
    );
  });
});
