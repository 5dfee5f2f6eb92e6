import { applySubscription, type SubscriptionChange, type Circumstances } from './apply-subscription.js';
import type { SubscriptionFacts, Observation } from './facts.model.js';
import type { Subscription } from './model.js';

/** A subscription and its `nextDueAtMs` of the last time; null: nothing is due by itself. */
export interface DueSubscription {
  subscription: Subscription;
  dueAtMs: number | null;
}

/** Something that the store of a subscription says at a moment, or at any later one at which it is asked. */
export interface StoreReport {
  atMs: number;
  say: (atMs: number) => Observation<SubscriptionFacts>;
}

/** One moment of the time that passed, and what it changed. */
export interface TimeStep {
  atMs: number;
  change: SubscriptionChange;
}

export interface TimePassing {
  /** What the store of a subscription says next as things stand; null: nothing. Default: stores say nothing. */
  reportOf?: (subscription: Subscription) => StoreReport | null;
  /** What else is to be known of a subscription. */
  circumstancesOf?: (subscription: Subscription) => Circumstances;
  /** Nothing happens before, whatever was missed. Default: everything at its own time. */
  fromMs?: number;
  /** Default: as many as there are. */
  maxSteps?: number;
}

interface NextStep {
  entry: DueSubscription;
  atMs: number;
  report: StoreReport | null;
}

/**
 * Lets time pass until `untilMs` for subscriptions that belong together, as if each moment had been attended to when it
 * came: one step for each, earliest first; at one moment a store speaks before an end is told. The last step of a
 * subscription has its state and next due moment. `arrived` is false when there is more to happen than `maxSteps`. Pure.
 * @throws RangeError when a subscription has no period, is due again at the same moment, or learned nothing from its store
 */
export function passTime(
  due: readonly DueSubscription[],
  untilMs: number,
  { reportOf = () => null, circumstancesOf, fromMs = 0, maxSteps = Infinity }: TimePassing = {},
): { steps: TimeStep[]; arrived: boolean } {
  const waiting = due.map((entry) => ({ ...entry }));
  const steps: TimeStep[] = [];
  let nowMs = fromMs;
  for (;;) {
    const next = earliest(waiting.flatMap((entry) => nextOf(entry, reportOf(entry.subscription), nowMs)));
    if (!next || next.atMs > untilMs) return { steps, arrived: true };
    if (steps.length === maxSteps) return { steps, arrived: false };
    const { entry, report } = next;
    nowMs = next.atMs;
    const observation = report?.say(nowMs) ?? null;
    const change = applySubscription(
      entry.subscription,
      observation,
      nowMs,
      circumstancesOf?.(entry.subscription),
    );
    const { nextDueAtMs } = change.state;
    if (report && !change.changed)
      throw new RangeError(`${entry.subscription.id} learned nothing from its store`);
    if (nextDueAtMs !== null && nextDueAtMs <= nowMs) {
      throw new RangeError(`${entry.subscription.id} stays due at ${nextDueAtMs}`);
    }
    entry.subscription = change.subscription;
    entry.dueAtMs = nextDueAtMs;
    steps.push({ atMs: nowMs, change });
  }
}

function nextOf(entry: DueSubscription, report: StoreReport | null, nowMs: number): NextStep[] {
  const { subscription, dueAtMs } = entry;
  // Of two statements of one moment neither would be the newer one.
  const sayAtMs = report && Math.max(report.atMs, nowMs, subscription.factsAtMs + 1);
  return [
    ...(sayAtMs === null ? [] : [{ entry, atMs: sayAtMs, report }]),
    ...(dueAtMs === null ? [] : [{ entry, atMs: Math.max(dueAtMs, nowMs), report: null }]),
  ];
}

function earliest(steps: NextStep[]): NextStep | undefined {
  return steps.reduce<NextStep | undefined>(
    (first, step) => (first && !comesBefore(step, first) ? first : step),
    undefined,
  );
}

function comesBefore(a: NextStep, b: NextStep): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if ((a.report === null) !== (b.report === null)) return a.report !== null;
  return a.entry.subscription.id < b.entry.subscription.id;
}
