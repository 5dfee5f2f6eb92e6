import { customersPerVariant, sampleRatio } from '../../../libs/statistics/index.js';
import type { Experiment } from '../../targeting/experiments/experiment.entity.js';
import type { ResultChecks } from './experiment-results.model.js';
import { guardRails } from './guard-rails.policy.js';
import { resultMetrics, type VariantSums } from './result-metrics.js';
import { isAboveFloor, valueOf } from './result-statistics.policy.js';

/** Default of the relative change that the experiment should detect. */
const RELATIVE_CHANGE = 0.2;

/** Returns the shares of the variants, which sum to 1. */
export function sharesOf({ weights, offerings }: Pick<Experiment, 'weights' | 'offerings'>): number[] {
  return offerings.map((_, index) => (weights ? (weights[index] ?? 0) / 100 : 1 / offerings.length));
}

/** Checks how reliable the figures are. */
export function checksOf(
  experiment: Experiment,
  variants: readonly VariantSums[],
  contaminated: number,
): ResultChecks {
  const { isMismatch, pValue } = sampleRatio(
    variants.map(({ recentCustomers }) => recentCustomers),
    sharesOf(experiment),
  );
  const recommended = recommendedCustomers(experiment, variants);
  const primary = resultMetrics.find(({ name }) => name === experiment.primaryMetric);
  const hasEnoughData =
    recommended !== null &&
    primary !== undefined &&
    isAboveFloor(primary, variants) &&
    variants.every(({ customers }) => customers >= recommended);
  return {
    isMismatch,
    pValue,
    contaminated,
    recommendedMinCustomers: recommended,
    hasEnoughData,
    warnings: guardRails(variants, isMismatch),
  };
}

/**
 * Uses the control's rate of the primary metric if that is a rate of customers, else its rate of initial conversions.
 */
function recommendedCustomers(
  { primaryMetric }: Experiment,
  [control]: readonly VariantSums[],
): number | null {
  if (!control) return null;
  const rates = resultMetrics.filter(({ how }) => how.kind === 'rate' && how.per === 'customers');
  const metric = rates.find(({ name }) => name === primaryMetric) ?? rates[0];
  const rate = metric ? valueOf(metric, control) : null;
  return rate === null ? null : customersPerVariant(rate, RELATIVE_CHANGE);
}
