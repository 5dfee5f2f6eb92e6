import { isContinued } from './plan-spans.js';
import type { ChartPeriod } from './periods.js';
import type { ChartSubscription } from './source.model.js';

export type RunType = 'new' | 'product_change' | 'resubscription';

/** Joined periods of one product, oldest first. Charts call a run a subscription. */
export interface Run {
  subscription: ChartSubscription;
  /** Position in its subscription. */
  index: number;
  periods: ChartPeriod[];
  before: Run | null;
  type: RunType;
}

/** Returns runs oldest first. A period that the next one continues ends when that one starts. */
function runsOf(subscription: ChartSubscription, periods: ChartPeriod[]): Run[] {
  const runs: Run[] = [];
  const ordered = periods
    .filter(({ access }) => access !== 'none')
    .sort((a, b) => a.startsAtMs - b.startsAtMs || (a.periodKey < b.periodKey ? -1 : 1));
  for (const period of ordered) {
    const run = runs.at(-1);
    const last = run?.periods.at(-1);
    const joined = last !== undefined && isContinued(last, period);
    if (joined) last.endsAtMs = period.startsAtMs;
    if (run && joined && last?.storeProductId === period.storeProductId && period.access === 'paid') {
      run.periods.push(period);
      continue;
    }
    const before = run && joined ? run : null;
    runs.push({ subscription, index: runs.length, periods: [period], before, type: 'new' });
  }
  return runs;
}

/** Joins the first run of a subscription to the last run of the subscription it replaced. */
function joinReplaced(bySubscription: Map<ChartSubscription, Run[]>): void {
  for (const [replaced, runs] of bySubscription) {
    const key = replaced.facts.replaced?.value.byStoreKey ?? null;
    const last = runs.at(-1);
    if (key === null || !last) continue;
    for (const [other, [first]] of bySubscription) {
      const isNext = other.storeKey === key && other.store === replaced.store && other !== replaced;
      const [end, start] = [last.periods.at(-1), first?.periods[0]];
      if (!isNext || !first || first.before || !end || !start || !isContinued(end, start)) continue;
      // A replaced subscription starts before its replacement.
      if (start.startsAtMs < end.startsAtMs) continue;
      if (end.ownEndsAtMs === undefined) end.ownEndsAtMs = end.endsAtMs;
      end.endsAtMs = start.startsAtMs;
      first.before = last;
    }
  }
}

function typeOf(run: Run, all: Run[]): RunType {
  const [first] = run.periods;
  const last = run.before?.periods.at(-1);
  if (last && last.storeProductId !== first?.storeProductId) return 'product_change';
  const startMs = first?.startsAtMs ?? 0;
  const paidBefore = all.some((other) => {
    const paid = other.periods.findLast(({ access }) => access === 'paid');
    const isSameStore = other.subscription.store === run.subscription.store;
    return other !== run && isSameStore && paid && paid.endsAtMs !== null && paid.endsAtMs <= startMs;
  });
  return paidBefore ? 'resubscription' : 'new';
}

/** Returns all runs of one customer in one environment. Sets the ends of joined periods. */
export function customerRuns(subscriptions: ChartSubscription[], periods: ChartPeriod[]): Run[] {
  const bySubscription = new Map(
    subscriptions.map((subscription) => [
      subscription,
      runsOf(
        subscription,
        periods.filter(({ purchaseId }) => purchaseId === subscription.id),
      ),
    ]),
  );
  joinReplaced(bySubscription);
  const runs = [...bySubscription.values()].flat();
  for (const run of runs) run.type = typeOf(run, runs);
  return runs;
}

/** Returns the run that continues this one's last period. */
export function runAfter(run: Run, all: Run[]): Run | null {
  return all.find(({ before }) => before === run) ?? null;
}
