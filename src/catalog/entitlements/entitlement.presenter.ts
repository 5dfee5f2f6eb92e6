import { placeByCreation } from '../../platform/http/lists/list-place.js';
import { embeddedList } from '../../platform/http/lists/lists.js';
import type { Product } from '../products/product.entity.js';
import { presentProduct } from '../products/product.presenter.js';
import type { EntitlementDto } from './entitlement.dto.js';
import type { Entitlement } from './entitlement.entity.js';

export function presentEntitlement(entitlement: Entitlement, products?: Product[]): EntitlementDto {
  const { projectId, id } = entitlement;
  const url = `/v2/projects/${projectId}/entitlements/${id}/products`;
  return {
    object: 'entitlement',
    id,
    project_id: projectId,
    lookup_key: entitlement.lookupKey,
    display_name: entitlement.displayName,
    created_at: entitlement.createdAt.getTime(),
    state: entitlement.state,
    ...(products
      ? {
          products: embeddedList(url, products, (product) => presentProduct(product), placeByCreation),
        }
      : {}),
  };
}
