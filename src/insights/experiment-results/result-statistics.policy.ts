import {
  clampChance,
  type Interval,
  type Lift,
  liftOfMeans,
  liftOfRates,
  type Mean,
  meanInterval,
  meanOf,
  meanWins,
  type Rate,
  rateInterval,
  rateOf,
  rateWins,
} from '../../../libs/statistics/index.js';
import type { MetricKind, ResultMetric, VariantSums } from './result-metrics.js';

const MICROS = 1_000_000;
const MIN_CUSTOMERS = 100;
const MIN_EVENTS = 10;

/** Statistics of a metric of a variant. Rates are shares of 1, money is in USD. */
export interface MetricStatistics {
  value: number | null;
  interval: Interval | null;
  /** Compared with the control; null for the control itself. */
  chanceToWin: number | null;
  /** Null for the control, and if there is no value to compare with. */
  lift: Lift | null;
}

function rateIn({ of, per }: MetricKind & { kind: 'rate' }, sums: VariantSums): Rate {
  return { count: Math.min(sums[of], sums[per]), total: sums[per] };
}

function meanIn({ of, per }: MetricKind & { kind: 'mean' }, sums: VariantSums): Mean {
  const sumOfSquares = of === 'revenue' ? sums.revenueSquares : sums.monthlySquares;
  return { n: sums[per], sum: sums[of] / MICROS, sumOfSquares };
}

/** Returns the value of a metric; null if the denominator is 0. */
export function valueOf({ how }: ResultMetric, sums: VariantSums): number | null {
  switch (how.kind) {
    case 'count':
      return sums[how.of];
    case 'money':
      return sums[how.of] / MICROS;
    case 'rate':
      return rateOf(rateIn(how, sums));
    case 'mean':
      return meanOf(meanIn(how, sums));
  }
}

/** Returns the number of events that a metric counts. */
function eventsOf({ how }: ResultMetric, sums: VariantSums): number {
  if (how.kind === 'rate') return how.per === 'customers' ? sums[how.of] : sums[how.per];
  return how.kind === 'mean' ? sums.paid : 0;
}

/** Whether chance and intervals are meaningful: each variant has enough customers and enough events. */
export function isAboveFloor(metric: ResultMetric, variants: readonly VariantSums[]): boolean {
  return variants.every((sums) => sums.customers >= MIN_CUSTOMERS && eventsOf(metric, sums) >= MIN_EVENTS);
}

function intervalOf({ how }: ResultMetric, sums: VariantSums): Interval | null {
  if (how.kind === 'rate') return rateInterval(rateIn(how, sums));
  return how.kind === 'mean' ? meanInterval(meanIn(how, sums)) : null;
}

function chanceOf({ how }: ResultMetric, control: VariantSums, sums: VariantSums): number | null {
  if (how.kind === 'rate') return clampChance(rateWins(rateIn(how, control), rateIn(how, sums)));
  if (how.kind !== 'mean') return null;
  const chance = meanWins(meanIn(how, control), meanIn(how, sums));
  return chance === null ? null : clampChance(chance);
}

function liftOf({ how }: ResultMetric, control: VariantSums, sums: VariantSums): Lift | null {
  if (how.kind === 'rate') return liftOfRates(rateIn(how, control), rateIn(how, sums));
  return how.kind === 'mean' ? liftOfMeans(meanIn(how, control), meanIn(how, sums)) : null;
}

/** Returns the relative change from the control. Null for the control, and if its value is 0. */
export function changeOf(value: number | null, control: number | null): number | null {
  return value === null || control === null || control === 0 ? null : value / control - 1;
}

/** Returns each variant's statistics of a metric, the control first. */
export function statisticsOf(
  metric: ResultMetric,
  variants: readonly VariantSums[],
  hasEnough = isAboveFloor(metric, variants),
): MetricStatistics[] {
  const [control] = variants;
  return variants.map((sums, index) => {
    const value = valueOf(metric, sums);
    if (!hasEnough || !control) return { value, interval: null, chanceToWin: null, lift: null };
    return {
      value,
      interval: intervalOf(metric, sums),
      chanceToWin: index === 0 ? null : chanceOf(metric, control, sums),
      lift: index === 0 ? null : liftOf(metric, control, sums),
    };
  });
}

export function hasStatistics({ how }: ResultMetric): boolean {
  return how.kind === 'rate' || how.kind === 'mean';
}
