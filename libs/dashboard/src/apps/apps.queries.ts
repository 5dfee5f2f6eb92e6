import { queryOptions } from '@tanstack/react-query';
import { storeSettingsOf } from '../api/apps.queries.js';
import { api, call } from '../api/client.js';
import { pagedQuery } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type App = Schema<'AppDto'>;
export type AppType = App['type'];
export type StoreSettings = Schema<'StoreSettingsDto'>;
export type CredentialsCheck = Schema<'CredentialsCheckDto'>;

const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofApp = (projectId: string, appId: string) => ({ path: { project_id: projectId, app_id: appId } });

/** Queries that a change of an app invalidates: the app, lists of apps, and the state of its setup. */
const staleAfterChange = (projectId: string) => [
  [projectId, 'apps'],
  [projectId, 'setup-health'],
];

export const appListQuery = (projectId: string) =>
  pagedQuery([projectId, 'apps', 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/apps', {
      params: { ...inProject(projectId), query: page },
      signal,
    }),
  );

export const appQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', appId, 'app'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/projects/{project_id}/apps/{app_id}', { params: ofApp(projectId, appId), signal })),
  });

const FAST_MS = 5_000;

/** Polls until the first notification arrives. */
export const storeSettingsQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', appId, 'store-settings'],
    queryFn: ({ signal }) => storeSettingsOf(projectId, appId, signal),
    refetchInterval: ({ state: { data } }) =>
      data && data.notification_url !== null && data.notification_status === 'waiting' ? FAST_MS : false,
  });

/** Products of an app; at most the first hundred, which is enough for its pages. */
export const appProductsQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', appId, 'products'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/products', {
          params: { ...inProject(projectId), query: { app_id: appId, limit: 100 } },
          signal,
        }),
      ),
  });

/** Checks the saved credentials. Runs only on a click, because it calls the store. */
export const savedCheckQuery = (projectId: string, appId: string) =>
  queryOptions({
    queryKey: [projectId, 'credentials-check', appId],
    enabled: false,
    retry: false,
    gcTime: Infinity,
    queryFn: ({ signal }) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/actions/verify_credentials', {
          params: ofApp(projectId, appId),
          body: {},
          signal,
        }),
      ),
  });

export const useCheckCredentials = (projectId: string, appId: string) =>
  useWrite({
    send: (body: Schema<'VerifyCredentialsDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/actions/verify_credentials', {
          params: ofApp(projectId, appId),
          body,
          headers,
        }),
      ),
  });

export const useCreateApp = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateAppDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps', {
          params: inProject(projectId),
          body,
          headers,
        }),
      ),
    stale: () => staleAfterChange(projectId),
  });

export const useUpdateApp = (projectId: string, appId: string) =>
  useWrite({
    send: (body: Schema<'UpdateAppDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}', {
          params: ofApp(projectId, appId),
          body,
          headers,
        }),
      ),
    stale: () => staleAfterChange(projectId),
  });

/** Deletes the app with its products, so the whole catalog is invalidated. */
export const useDeleteApp = (projectId: string, appId: string) =>
  useWrite({
    send: (_: undefined, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/apps/{app_id}', {
          params: ofApp(projectId, appId),
          headers,
        }),
      ),
  });
