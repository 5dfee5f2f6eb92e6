import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type Provider = Schema<'AuthProviderDto'>;
export type Identity = Schema<'ListedAuthIdentityDto'>;
export type SignInSettings = Schema<'AuthSettingsDto'>;
export type TokenTest = Schema<'AuthTokenTestDto'>;

const rootKey = (projectId: string) => [projectId, 'sign-in'];
const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofProvider = (projectId: string, id: string) => ({ path: { project_id: projectId, provider_id: id } });

export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...rootKey(projectId), 'settings'],
    queryFn: ({ signal }) =>
      call(api.GET('/v2/projects/{project_id}/auth/settings', { params: inProject(projectId), signal })),
  });

export const providersQuery = (projectId: string) =>
  pagedQuery([...rootKey(projectId), 'providers'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/auth/providers', {
      params: { ...inProject(projectId), query: page },
      signal,
    }),
  );

export const identitiesQuery = (projectId: string, appUserId: string | undefined) =>
  pagedQuery([...rootKey(projectId), 'identities', appUserId], (page, signal) =>
    api.GET('/v2/projects/{project_id}/auth/identities', {
      params: {
        ...inProject(projectId),
        query: { ...page, app_user_id: appUserId },
      },
      signal,
    }),
  );

export const useUpdateSettings = (projectId: string) =>
  useWrite({
    send: (body: Schema<'UpdateAuthSettingsDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/auth/settings', { params: inProject(projectId), body, headers }),
      ),
    stale: () => [settingsQuery(projectId).queryKey],
  });

export const useCreateProvider = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateAuthProviderDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/auth/providers', { params: inProject(projectId), body, headers }),
      ),
    stale: () => [providersQuery(projectId).queryKey],
  });

export const useUpdateProvider = (projectId: string, id: string) =>
  useWrite({
    send: (body: Schema<'UpdateAuthProviderDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/auth/providers/{provider_id}', {
          params: ofProvider(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => [providersQuery(projectId).queryKey],
  });

export const useDeleteProvider = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/auth/providers/{provider_id}', {
          params: ofProvider(projectId, id),
          headers,
        }),
      ),
    stale: () => [rootKey(projectId)],
  });

export const useTestToken = (projectId: string, id: string) =>
  useWrite({
    send: (body: Schema<'TestIdTokenDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/auth/providers/{provider_id}/actions/test', {
          params: ofProvider(projectId, id),
          body,
          headers,
        }),
      ),
  });

export const useDeleteIdentity = (projectId: string) =>
  useWrite({
    send: ({ provider_id: provider, subject }: Identity, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/auth/identities/{provider_id}/{subject}', {
          params: { path: { project_id: projectId, provider_id: provider, subject } },
          headers,
        }),
      ),
    stale: () => [rootKey(projectId)],
  });
