import { queryOptions } from '@tanstack/react-query';
import { api, call } from './client.js';
import type { Schema } from './types.js';

export type Account = Schema<'AccountDto'>;
export type AccountProject = Schema<'AccountProjectDto'>;

const FIVE_MINUTES_MS = 5 * 60_000;

/** The signed-in person, with their permissions. @throws CallError 401 without a session */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call(api.GET('/auth/me', { signal })),
  staleTime: FIVE_MINUTES_MS,
  refetchInterval: FIVE_MINUTES_MS,
});

const HOUR_MS = 60 * 60_000;

/** The session of this browser; null if it is not among the person's newest. Its expiration never changes. */
export const currentSessionQuery = queryOptions({
  queryKey: ['sessions', 'current'],
  queryFn: async ({ signal }) => {
    const { items } = await call(api.GET('/auth/sessions', { params: { query: { limit: 100 } }, signal }));
    return items.find(({ current }) => current) ?? null;
  },
  staleTime: HOUR_MS,
  refetchInterval: HOUR_MS,
});

/** The server's settings for sign-up and sign-in. */
export const authConfigQuery = queryOptions({
  queryKey: ['auth-config'],
  queryFn: ({ signal }) => call(api.GET('/auth/config', { signal })),
  staleTime: FIVE_MINUTES_MS,
});
