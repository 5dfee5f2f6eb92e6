import { variantIds } from '../../../libs/targeting/index.js';
import type { VariantProductSums } from './experiment-figures.repository.js';
import { noSums, type VariantSums } from './result-metrics.js';

/** Of each variant, the control first: its sums of a product, or of all (''). All its customers count, buyers or not. */
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
