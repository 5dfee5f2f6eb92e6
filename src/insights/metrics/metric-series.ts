import { utcDay } from '../../../libs/kernel/index.js';
import { monthlyCents } from './billing-length.js';
import type { Amounts, MetricPeriod, PeriodChanges, PlanKey } from './metric-periods.js';

const DAY_MS = 86_400_000;

export function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS) * DAY_MS;
}

/** Returns days oldest first, both included. */
export function daysBetween(fromMs: number, untilMs: number): string[] {
  const days: string[] = [];
  for (let dayMs = startOfDay(fromMs); dayMs <= untilMs; dayMs += DAY_MS) days.push(utcDay(dayMs));
  return days;
}

const nothing: Amounts = { trials: 0, subscriptions: 0, priceMicros: 0, revenueMicros: 0, transactions: 0 };

/** Amounts of one plan at one time: those that start (positive) or end (negative) then, and those paid. */
export interface Movement extends PlanKey, Amounts {
  atMs: number;
}

/** Returns the start and end of a period. `sign` -1 reverses them. */
export function movementsOf(period: MetricPeriod, sign: 1 | -1): Movement[] {
  const { appId, storeProductId, lengthUnits, startsAtMs, endsAtMs } = period;
  const plan = { appId, storeProductId, lengthUnits };
  const { trials, subscriptions, priceMicros, revenueMicros, transactions } = period;
  const begin: Movement = {
    ...plan,
    atMs: startsAtMs,
    trials: sign * trials,
    subscriptions: sign * subscriptions,
    priceMicros: sign * priceMicros,
    revenueMicros: sign * revenueMicros,
    transactions: sign * transactions,
  };
  if (endsAtMs === null) return [begin];
  const end: Movement = {
    ...plan,
    ...nothing,
    atMs: endsAtMs,
    trials: -begin.trials,
    subscriptions: -begin.subscriptions,
    priceMicros: -begin.priceMicros,
  };
  return [begin, end];
}

export function movementsOfChanges({ removed, added }: PeriodChanges): Movement[] {
  return [
    ...removed.flatMap((period) => movementsOf(period, -1)),
    ...added.flatMap((period) => movementsOf(period, 1)),
  ];
}

/** Amounts of one plan on one day; a null day means all days before the series. */
export interface Bucket extends PlanKey, Amounts {
  day: string | null;
}

/** The time window of a query. Counts of active items need all days; money needs only those since `fromMs`. */
export interface Window {
  fromMs: number;
  /** Inclusive. */
  nowMs: number;
}

/** Sorts movements into the buckets of a window, as the SQL statements do for stored figures. */
export function bucketsOf(movements: Movement[], { fromMs, nowMs }: Window): Bucket[] {
  return movements
    .filter(({ atMs }) => atMs <= nowMs)
    .map(({ atMs, ...movement }) => ({
      ...movement,
      ...(atMs < fromMs ? { revenueMicros: 0, transactions: 0 } : {}),
      day: atMs < startOfDay(fromMs) ? null : utcDay(atMs),
    }));
}

/** Figures at the end of a day (today: now), and payments on that day. */
export interface DayFigures {
  day: string;
  trials: number;
  subscriptions: number;
  mrrCents: number;
  revenueMicros: number;
  transactions: number;
}

/**
 * Returns figures oldest first.
 * @param lengthOf the length (sixtieths of a month) that a plan's price pays for
 */
export function seriesOf(
  buckets: Bucket[],
  window: Window,
  lengthOf: (plan: PlanKey) => number,
): DayFigures[] {
  const byDay = new Map<string | null, Bucket[]>();
  for (const bucket of buckets) byDay.set(bucket.day, [...(byDay.get(bucket.day) ?? []), bucket]);
  const prices = new Map<number, number>();
  let trials = 0;
  let subscriptions = 0;
  const take = (bucket: Bucket): void => {
    trials += bucket.trials;
    subscriptions += bucket.subscriptions;
    const length = lengthOf(bucket);
    prices.set(length, (prices.get(length) ?? 0) + bucket.priceMicros);
  };
  (byDay.get(null) ?? []).forEach(take);
  return daysBetween(window.fromMs, window.nowMs).map((day) => {
    const rows = byDay.get(day) ?? [];
    rows.forEach(take);
    return {
      day,
      trials,
      subscriptions,
      mrrCents: monthlyCents(prices),
      revenueMicros: rows.reduce((sum, { revenueMicros }) => sum + revenueMicros, 0),
      transactions: rows.reduce((sum, { transactions }) => sum + transactions, 0),
    };
  });
}
