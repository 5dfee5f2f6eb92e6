import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { allItems, pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';
import { catalogKey, staleCatalog } from '../catalog.queries.js';
import type { Paywall, PaywallDocument, PaywallTemplate } from './paywall.types.js';

export const paywallsKey = (projectId: string) => catalogKey(projectId, 'paywalls');
export const paywallKey = (projectId: string, id: string) => [...paywallsKey(projectId), 'one', id];
export const mediaAssetsKey = (projectId: string) => [...paywallsKey(projectId), 'media-assets'];
export const paywallSettingsKey = (projectId: string) => [...paywallsKey(projectId), 'settings'];

const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofPaywall = (projectId: string, id: string) => ({ path: { project_id: projectId, paywall_id: id } });

/** All paywalls of a project with their problems, without their content. */
export const allPaywallsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...paywallsKey(projectId), 'all'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/paywalls', {
            params: {
              ...inProject(projectId),
              query: { ...page, expand: ['items.offering', 'items.problems'] },
            },
            signal,
          }),
        signal,
      ),
  });

/** The paywall of an offering; null without one. */
export const offeringPaywallQuery = (projectId: string, offeringId: string) =>
  queryOptions({
    queryKey: [...paywallsKey(projectId), 'of-offering', offeringId],
    queryFn: async ({ signal }): Promise<Paywall | null> => {
      const { items } = await call(
        api.GET('/v2/projects/{project_id}/paywalls', {
          params: {
            ...inProject(projectId),
            query: { offering_id: offeringId, limit: 1, expand: ['items.problems'] },
          },
          signal,
        }),
      );
      return items[0] ?? null;
    },
  });

/** A paywall with its published version, its draft and their problems. */
export const paywallQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: paywallKey(projectId, id),
    queryFn: ({ signal }): Promise<Paywall> =>
      call(
        api.GET('/v2/projects/{project_id}/paywalls/{paywall_id}', {
          params: { ...ofPaywall(projectId, id), query: { expand: ['components', 'offering'] } },
          signal,
        }),
      ),
  });

/** Published versions, newest first. */
export const paywallVersionsQuery = (projectId: string, id: string) =>
  pagedQuery([...paywallKey(projectId, id), 'versions'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/paywalls/{paywall_id}/versions', {
      params: { ...ofPaywall(projectId, id), query: { ...page, expand: ['items.components'] } },
      signal,
    }),
  );

export const paywallTemplatesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...paywallsKey(projectId), 'templates'],
    queryFn: async ({ signal }): Promise<PaywallTemplate[]> =>
      (
        await call(
          api.GET('/v2/projects/{project_id}/paywall_templates', { params: inProject(projectId), signal }),
        )
      ).items,
    staleTime: Infinity,
  });

export const paywallSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: paywallSettingsKey(projectId),
    queryFn: ({ signal }) =>
      call(api.GET('/v2/projects/{project_id}/paywall_settings', { params: inProject(projectId), signal })),
  });

/** The JSON Schema of documents, the same for every project. */
export const paywallSchemaQuery = queryOptions({
  queryKey: ['paywall-schema'],
  queryFn: ({ signal }) => call(api.GET('/schemas/paywall-document.json', { signal })),
  staleTime: Infinity,
});

/** Images and fonts, newest first. */
export const mediaAssetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: mediaAssetsKey(projectId),
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/media_assets', {
            params: { ...inProject(projectId), query: page },
            signal,
          }),
        signal,
      ),
  });

/** Lists with the name, the state and the problems of paywalls. */
const staleLists = (projectId: string) => [
  allPaywallsQuery(projectId).queryKey,
  [...paywallsKey(projectId), 'of-offering'],
];

export const useCreatePaywall = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreatePaywallDto'>, headers) =>
      call(api.POST('/v2/projects/{project_id}/paywalls', { params: inProject(projectId), body, headers })),
    stale: () => staleCatalog(projectId),
  });

/** Creates a paywall for another offering with this document. */
export const useCopyPaywall = (projectId: string) =>
  useWrite({
    send: async (copy: { offering_id: string; name: string; document: PaywallDocument }, headers) => {
      const { document, ...body } = copy;
      const { id } = await call(
        api.POST('/v2/projects/{project_id}/paywalls', { params: inProject(projectId), body, headers }),
      );
      const key = { 'Idempotency-Key': `${headers['Idempotency-Key']}-content` };
      return call(
        api.PATCH('/v2/projects/{project_id}/paywalls/{paywall_id}', {
          params: ofPaywall(projectId, id),
          body: { ...document, revision: 1 },
          headers: key,
        }),
      );
    },
    stale: () => staleCatalog(projectId),
  });

/** Saves changes of the draft. The answer replaces the paywall without its offering, which the server does not repeat. */
export function useUpdatePaywall(projectId: string, id: string) {
  const queries = useQueryClient();
  return useWrite({
    send: (body: Schema<'UpdatePaywallDto'>, headers): Promise<Paywall> =>
      call(
        api.PATCH('/v2/projects/{project_id}/paywalls/{paywall_id}', {
          params: ofPaywall(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => staleLists(projectId),
    onDone: (saved) =>
      queries.setQueryData(paywallKey(projectId, id), (before: Paywall | undefined) => ({
        ...before,
        ...saved,
      })),
  });
}

export const useDeletePaywall = (projectId: string, id: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/paywalls/{paywall_id}', {
          params: ofPaywall(projectId, id),
          headers,
        }),
      ),
    // Not the deleted paywall itself, which no longer exists.
    stale: () => [...staleLists(projectId), catalogKey(projectId, 'offerings')],
  });

export const usePublishPaywall = (projectId: string, id: string) =>
  useWrite({
    send: (body: Schema<'PublishPaywallDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/paywalls/{paywall_id}/actions/publish', {
          params: ofPaywall(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useUnpublishPaywall = (projectId: string, id: string) =>
  useWrite({
    send: (_: void, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/paywalls/{paywall_id}/actions/unpublish', {
          params: ofPaywall(projectId, id),
          headers,
        }),
      ),
    stale: () => staleCatalog(projectId),
  });

export const useUpdatePaywallSettings = (projectId: string) =>
  useWrite({
    send: (body: Schema<'UpdatePaywallSettingsDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/paywall_settings', {
          params: inProject(projectId),
          body,
          headers,
        }),
      ),
    stale: () => [paywallSettingsKey(projectId)],
  });

export const useCreateMediaAsset = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateMediaAssetDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/media_assets', { params: inProject(projectId), body, headers }),
      ),
    stale: () => [mediaAssetsKey(projectId)],
  });

export const useDeleteMediaAsset = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/media_assets/{media_asset_id}', {
          params: { path: { project_id: projectId, media_asset_id: id } },
          headers,
        }),
      ),
    stale: () => [mediaAssetsKey(projectId)],
  });
