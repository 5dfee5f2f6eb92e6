import type { EligibilityCriteria } from '../snapshot/catalog.model.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PackageProduct } from './package.presenter.js';

function overlap(a: EligibilityCriteria, b: EligibilityCriteria): boolean {
  return a === 'all' || b === 'all' || a === b;
}

/**
 * A package has one product per app, or two if one is for old and the other for new Android SDKs.
 * @throws ApiError 409 naming two products that the same client could get
 */
export function assertNoOverlap(products: PackageProduct[]): void {
  for (const [index, a] of products.entries()) {
    const rival = products
      .slice(index + 1)
      .find(
        (b) => a.product.appId === b.product.appId && overlap(a.eligibilityCriteria, b.eligibilityCriteria),
      );
    if (!rival) continue;
    throw new ApiError(
      'conflict',
      `A package can have only one product of each app; ${a.product.id} and ${rival.product.id} belong to the same app.`,
      { param: 'products' },
    );
  }
}
