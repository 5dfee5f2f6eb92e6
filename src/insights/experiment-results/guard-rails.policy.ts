import { rateWins } from '../../../libs/statistics/index.js';
import { resultMetrics, type VariantSums } from './result-metrics.js';
import { isAboveFloor, statisticsOf } from './result-statistics.policy.js';

const WORSE_BELOW = 0.05;

export interface Warning {
  code:
    'revenue_per_customer_lower' | 'refunds_higher' | 'sample_ratio_mismatch' | 'offering_without_packages';
  /** Index of the variant; null for all variants. */
  variant: number | null;
  message: string;
}

const names = ['Control', 'Treatment', 'TreatmentC', 'TreatmentD'] as const;

/** Names of variants in results. */
export function variantName(index: number): (typeof names)[number] {
  return names[index] ?? 'TreatmentD';
}

const perCustomer = resultMetrics.find(({ name }) => name === 'realized_ltv_per_customer');

/** Reasons to stop an experiment. They never stop it automatically. */
export function guardRails(variants: readonly VariantSums[], isMismatch: boolean): Warning[] {
  const [control, ...treatments] = variants;
  if (!control) return [];
  const warnings: Warning[] = [];
  if (isMismatch) {
    const message = 'The variants do not have the numbers of customers that their weights predict.';
    warnings.push({ code: 'sample_ratio_mismatch', variant: null, message });
  }
  if (!perCustomer || !isAboveFloor(perCustomer, variants)) return warnings;
  treatments.forEach((sums, index) => {
    const variant = index + 1;
    const [, compared] = statisticsOf(perCustomer, [control, sums], true);
    const chance = compared?.chanceToWin ?? null;
    if (chance !== null && chance < WORSE_BELOW) {
      const message = `${variantName(variant)} very likely earns less per customer than the control.`;
      warnings.push({ code: 'revenue_per_customer_lower', variant, message });
    }
    if (isRefundedMore(control, sums)) {
      const message = `Payments of ${variantName(variant)} are very likely refunded more often than those of the control.`;
      warnings.push({ code: 'refunds_higher', variant, message });
    }
  });
  return warnings;
}

/** Warns about apps of the audience without products of a variant. `messages` has one entry per variant and app. */
export function withoutPackages(messages: readonly string[]): Warning[] {
  return messages.map((message) => ({ code: 'offering_without_packages', variant: null, message }));
}

function isRefundedMore(control: VariantSums, sums: VariantSums): boolean {
  const rateOf = ({ refunded, paid }: VariantSums) => ({ count: Math.min(refunded, paid), total: paid });
  return 1 - rateWins(rateOf(control), rateOf(sums)) < WORSE_BELOW;
}
