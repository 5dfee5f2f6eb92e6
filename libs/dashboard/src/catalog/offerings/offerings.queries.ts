import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { catalogKey, staleCatalog } from '../catalog.queries.js';
import type { Offering, Package } from '../catalog.types.js';
import { movedTo, placesAfter } from './package-order.js';

const offeringKey = (projectId: string, offeringId: string) => catalogKey(projectId, 'offerings', offeringId);

/** All offerings, with their packages and products. */
export const allOfferingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: catalogKey(projectId, 'offerings', 'all'),
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/offerings', {
            params: {
              path: { project_id: projectId },
              query: { ...page, expand: ['items.package.product'] },
            },
            signal,
          }),
        signal,
      ),
  });

export const offeringQuery = (projectId: string, offeringId: string) =>
  queryOptions({
    queryKey: offeringKey(projectId, offeringId),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/offerings/{offering_id}', {
          params: {
            path: { project_id: projectId, offering_id: offeringId },
            query: { expand: ['package.product'] },
          },
          signal,
        }),
      ),
  });

export const useCreateOffering = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateOfferingDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/offerings', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useUpdateOffering = (projectId: string, offeringId: string) =>
  useWrite({
    send: (body: Schema<'UpdateOfferingDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/offerings/{offering_id}', {
          params: { path: { project_id: projectId, offering_id: offeringId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useCreatePackage = (projectId: string, offeringId: string) =>
  useWrite({
    send: (body: Schema<'CreatePackageDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/offerings/{offering_id}/packages', {
          params: { path: { project_id: projectId, offering_id: offeringId } },
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useDeletePackage = (projectId: string) =>
  useWrite({
    send: ({ id }: Package, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/packages/{package_id}', {
          params: { path: { project_id: projectId, package_id: id } },
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

/** Updates optimistically; reverts to the server's order on an error. */
export function useMovePackage(projectId: string, offering: Offering) {
  const queries = useQueryClient();
  const key = offeringKey(projectId, offering.id);
  const packages = offering.packages?.items ?? [];
  return useWrite({
    send: async ({ from, to }: { from: number; to: number }, headers) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<Offering>(
        key,
        (shown) =>
          shown?.packages && {
            ...shown,
            packages: { ...shown.packages, items: movedTo(packages, from, to) },
          },
      );
      try {
        for (const { id, position } of placesAfter(packages, from, to)) {
          await call(
            api.POST('/v2/projects/{project_id}/packages/{package_id}', {
              params: { path: { project_id: projectId, package_id: id } },
              body: { position },
              headers: { 'Idempotency-Key': `${headers['Idempotency-Key']}-${id}` },
            }),
          );
        }
      } catch (error) {
        await queries.invalidateQueries({ queryKey: key });
        throw error;
      }
    },
    stale: () => staleCatalog(projectId),
  });
}

export interface PackageProduct {
  packageId: string;
  productId: string;
}

export const useAttachToPackage = (projectId: string) =>
  useWrite({
    send: (
      {
        packageId,
        ...product
      }: PackageProduct & { criteria: Schema<'PackageProductInputDto'>['eligibility_criteria'] },
      headers,
    ) =>
      call(
        api.POST('/v2/projects/{project_id}/packages/{package_id}/actions/attach_products', {
          params: { path: { project_id: projectId, package_id: packageId } },
          body: { products: [{ product_id: product.productId, eligibility_criteria: product.criteria }] },
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useDetachFromPackage = (projectId: string) =>
  useWrite({
    send: ({ packageId, productId }: PackageProduct, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/packages/{package_id}/actions/detach_products', {
          params: { path: { project_id: projectId, package_id: packageId } },
          body: { product_ids: [productId] },
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });
