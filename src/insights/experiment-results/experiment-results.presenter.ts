import { csvLine } from '../../platform/http/lists/csv.js';
import { type DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { wireValue } from '../charts/question/currencies.js';
import type { ExperimentResultsDto } from './experiment-results.dto.js';
import type { ExperimentResults } from './experiment-results.model.js';
import { variantName } from './guard-rails.policy.js';
import { type ResultMetric, resultMetrics, type ResultSection, resultSections } from './result-metrics.js';
import {
  changeOf,
  hasStatistics,
  type MetricStatistics,
  statisticsOf,
  valueOf,
} from './result-statistics.policy.js';

const MICROS = 1_000_000;
const PERCENT_DIGITS = 4;

/** The currency of amounts. */
export interface Money {
  currency: DisplayCurrency;
  /** Units per USD. */
  rate: number;
}

function percent(share: number | null): number | null {
  return share === null ? null : Number((share * 100).toFixed(PERCENT_DIGITS));
}

function wire({ unit }: ResultMetric, value: number | null, { currency, rate }: Money): number | null {
  if (value === null) return null;
  if (unit === '%') return percent(value);
  return unit === '#' ? value : wireValue(value * rate * MICROS, '$', currency);
}

type Section = ExperimentResultsDto['sections'][number];
type Statistic = ExperimentResultsDto['statistics'][number];

function presentSection({ name, metrics }: ResultSection, results: ExperimentResults, money: Money): Section {
  const values = metrics.flatMap((metric, metricIndex) =>
    results.segments.flatMap(({ variants }, segment) => {
      const all = variants.map((sums) => valueOf(metric, sums));
      return all.map((value, index) => ({
        object: 'experiment_results_value' as const,
        metric: metricIndex,
        segment,
        variant: variantName(index),
        value: wire(metric, value, money),
        change: index === 0 ? null : percent(changeOf(value, all[0] ?? null)),
        credible_interval: null,
        lift_credible_interval: null,
      }));
    }),
  );
  return {
    object: 'experiment_results_section',
    section: name,
    description: null,
    metrics: metrics.map(({ name: metric, unit, effect }) => ({ name: metric, unit, effect })),
    segments: results.segments.map(({ id, name: segment }) => ({
      object: 'experiment_results_segment',
      id,
      display_name: segment,
      is_total: id === 'total',
    })),
    values,
  };
}

function statusOf(value: unknown, isControl = false): string {
  if (value !== null) return 'ok';
  return isControl ? 'not_applicable' : 'insufficient_data';
}

function presentVariant(
  metric: ResultMetric,
  { interval, chanceToWin, lift }: MetricStatistics,
  index: number,
  money: Money,
): Statistic['variants'][number] {
  const isControl = index === 0;
  return {
    object: 'experiment_results_variant_statistic',
    name: variantName(index),
    chance_to_win: chanceToWin === null ? null : Number(chanceToWin.toFixed(6)),
    chance_to_win_status: statusOf(chanceToWin, isControl),
    credible_interval_lower: wire(metric, interval?.lower ?? null, money),
    credible_interval_upper: wire(metric, interval?.upper ?? null, money),
    credible_interval_status: statusOf(interval),
    lift_credible_interval_lower: percent(lift?.lower ?? null),
    lift_credible_interval_upper: percent(lift?.upper ?? null),
    lift_credible_interval_status: statusOf(lift, isControl),
  };
}

function presentStatistics({ segments }: ExperimentResults, money: Money): Statistic[] {
  const variants = segments[0]?.variants ?? [];
  return resultMetrics.filter(hasStatistics).map((metric) => ({
    object: 'experiment_results_statistic',
    metric_name: metric.name,
    variants: statisticsOf(metric, variants).map((one, index) => presentVariant(metric, one, index, money)),
  }));
}

export function presentResults(results: ExperimentResults, money: Money): ExperimentResultsDto {
  const { checks, computedAtMs } = results;
  return {
    object: 'experiment_results',
    currency: money.currency,
    sections: resultSections.map((section) => presentSection(section, results, money)),
    statistics: presentStatistics(results, money),
    predicted_ltv: null,
    last_updated_at: computedAtMs,
    checks: {
      sample_ratio_mismatch: checks.isMismatch,
      p_value: checks.pValue,
      contaminated: checks.contaminated,
      recommended_min_customers: checks.recommendedMinCustomers,
      enough_data: checks.hasEnoughData,
      warnings: checks.warnings.map(({ code, variant, message }) => ({
        code,
        variant: variant === null ? null : variantName(variant),
        message,
      })),
    },
  };
}

/** One line per value. Statistics appear only with the total. */
export function* resultLines(results: ExperimentResults, money: Money): Generator<string> {
  const { sections, statistics } = presentResults(results, money);
  yield csvLine([
    'section',
    'metric',
    'unit',
    'segment',
    'variant',
    'value',
    'change_percent',
    'chance_to_win',
    'credible_interval_lower',
    'credible_interval_upper',
    'lift_percent_lower',
    'lift_percent_upper',
  ]);
  for (const { section, metrics, segments, values } of sections) {
    for (const { metric, segment, variant, value, change } of values) {
      const { name, unit } = metrics[metric] ?? { name: '', unit: '' };
      const statistic = statistics
        .find(({ metric_name }) => metric_name === name && segment === 0)
        ?.variants.find((one) => one.name === variant);
      yield csvLine([
        section,
        name,
        unit === '$' ? money.currency : unit,
        segments[segment]?.display_name,
        variant,
        value,
        change,
        statistic?.chance_to_win,
        statistic?.credible_interval_lower,
        statistic?.credible_interval_upper,
        statistic?.lift_credible_interval_lower,
        statistic?.lift_credible_interval_upper,
      ]);
    }
  }
}
