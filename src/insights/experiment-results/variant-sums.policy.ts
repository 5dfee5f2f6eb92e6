import { variantIds } from '../../../libs/targeting/index.js';
import type { VariantProductSums } from './experiment-figures.repository.js';
import { noSums, type VariantSums } from './result-metrics.js';

/**
 * Returns each variant's sums for a product, or for all (''), the control first. Customers without a purchase count
 * too.
 */
export function variantSums(
  { length }: { length: number },
  rows: readonly VariantProductSums[],
  product = '',
): VariantSums[] {
  return variantIds.slice(0, length).map((variant) => {
    const of = (name: string) =>
      rows.find((row) => row.variant === variant && row.product === name) ?? noSums;
    const { customers, recentCustomers } = of('');
    return { ...of(product), customers, recentCustomers };
  });
}
