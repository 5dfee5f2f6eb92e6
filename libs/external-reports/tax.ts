import { includedTax, shareOf } from './amounts.js';
import { refundsOf, remainderOf } from './history.js';
import type { ReportContext, ReportItem } from './model.js';

export type Tax = Pick<ReportItem, 'taxMicros' | 'isTaxEstimated'>;

/** The tax of the invoice, else an estimate by the configured rate of the country. */
export function chargeTax(item: ReportItem, { taxRates }: Pick<ReportContext, 'taxRates'>): Tax {
  const { amountMicros, country, taxMicros, isTaxEstimated } = item;
  if (taxMicros !== null && !isTaxEstimated) return { taxMicros, isTaxEstimated };
  if (amountMicros === 0) return { taxMicros: 0, isTaxEstimated: false };
  const bps = country !== null && Object.hasOwn(taxRates, country) ? taxRates[country] : undefined;
  if (amountMicros === null || bps === undefined) return { taxMicros, isTaxEstimated };
  return { taxMicros: includedTax(amountMicros, bps), isTaxEstimated: true };
}

/** A refund returns its share of the charge's tax; the last one returns the rest. `items` are the current lines. */
export function refundTax(refund: ReportItem, charge: ReportItem, items: readonly ReportItem[]): Tax {
  const { amountMicros, lineItemId } = refund;
  const { isTaxEstimated } = charge;
  // Computed when it was restated.
  if (refund.isRestatement && refund.taxMicros !== null)
    return { taxMicros: refund.taxMicros, isTaxEstimated };
  if (charge.taxMicros === null || amountMicros === null) return { taxMicros: null, isTaxEstimated };
  const others = refundsOf(items, charge.lineItemId).filter((other) => other.lineItemId !== lineItemId);
  const rest = remainderOf(charge, others);
  const taxMicros =
    amountMicros === rest.amountMicros
      ? rest.taxMicros
      : shareOf(charge.taxMicros, amountMicros, charge.amountMicros ?? 0);
  return { taxMicros, isTaxEstimated };
}
