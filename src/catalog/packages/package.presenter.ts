import type { EligibilityCriteria } from '../snapshot/catalog.model.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import { embeddedList } from '../../platform/http/lists/lists.js';
import type { Product } from '../products/product.entity.js';
import { presentProduct } from '../products/product.presenter.js';
import type { PackageDto, PackageProductDto } from './package.dto.js';
import type { Package } from './package.entity.js';

export interface PackageProduct {
  product: Product;
  eligibilityCriteria: EligibilityCriteria;
  attachedAt: Date;
}

export function placeOfPackage({ position, createdAt, id }: Package): Place {
  return [position, createdAt, id];
}

export function placeOfPackageProduct({ attachedAt, product }: PackageProduct): Place {
  return [attachedAt, product.id];
}

export function presentPackageProduct({ product, eligibilityCriteria }: PackageProduct): PackageProductDto {
  return { product: presentProduct(product), eligibility_criteria: eligibilityCriteria };
}

export function presentPackage(row: Package, products?: PackageProduct[]): PackageDto {
  const url = `/v2/projects/${row.projectId}/packages/${row.id}/products`;
  return {
    object: 'package',
    id: row.id,
    lookup_key: row.lookupKey,
    display_name: row.displayName,
    position: row.position,
    created_at: row.createdAt.getTime(),
    ...(products
      ? { products: embeddedList(url, products, presentPackageProduct, placeOfPackageProduct) }
      : {}),
  };
}
