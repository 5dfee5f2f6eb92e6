import { embeddedList } from '../../platform/http/lists/lists.js';
import type { Package } from '../packages/package.entity.js';
import { type PackageProduct, placeOfPackage, presentPackage } from '../packages/package.presenter.js';
import type { OfferingDto } from './offering.dto.js';
import type { Offering } from './offering.entity.js';

/** Expanded objects: packages by offering id, their products by package id. */
export interface OfferingExpansion {
  packages?: Map<string, Package[]>;
  products?: Map<string, PackageProduct[]>;
}

/** @param paywallId the published paywall of the offering, if there is one */
export function presentOffering(
  offering: Offering,
  paywallId: string | undefined,
  { packages, products }: OfferingExpansion = {},
): OfferingDto {
  const { projectId, id } = offering;
  const url = `/v2/projects/${projectId}/offerings/${id}/packages`;
  const rows = packages?.get(id);
  return {
    object: 'offering',
    id,
    lookup_key: offering.lookupKey,
    display_name: offering.displayName,
    is_current: offering.isCurrent,
    created_at: offering.createdAt.getTime(),
    project_id: projectId,
    state: offering.state,
    metadata: offering.metadata,
    paywall_id: paywallId ?? null,
    ...(rows
      ? {
          packages: embeddedList(
            url,
            rows,
            (row) => presentPackage(row, products?.get(row.id)),
            placeOfPackage,
          ),
        }
      : {}),
  };
}
