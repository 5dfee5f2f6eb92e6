import { applySubscription, type SubscriptionChange, type Circumstances } from './apply-subscription.js';
import type { SubscriptionFacts, Observation } from './facts.model.js';
import type { Subscription } from './model.js';

/** A subscription and its last `nextDueAtMs`; null: nothing is due without a new report. */
export interface DueSubscription {
  subscription: Subscription;
  dueAtMs: number | null;
}

export interface StoreReport {
  atMs: number;
  observe: (atMs: number) => Observation<SubscriptionFacts>;
}

export interface TimeStep {
  atMs: number;
  change: SubscriptionChange;
}

export interface TimePassing {
  /** The store's next report in the current state; null: none. Default: stores report nothing. */
  reportOf?: (subscription: Subscription) => StoreReport | null;
  circumstancesOf?: (subscription: Subscription) => Circumstances;
  /** Missed due times are handled at this time, not earlier. Default: everything at its own time. */
  fromMs?: number;
  /** Default: unlimited. */
  maxSteps?: number;
}

interface NextStep {
  entry: DueSubscription;
  atMs: number;
  report: StoreReport | null;
}

/**
 * Processes the due times of related subscriptions in order. At the same time, store reports precede expirations. Pure.
 * `arrived` is false if more is due after `maxSteps`. A subscription's last step has its state and next due time.
 * @throws RangeError if a subscription has no period or is due again at the same time, or a store report adds nothing
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
    const observation = report?.observe(nowMs) ?? null;
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
  // A statement wins only with a later time than the known ones.
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
