import { queryOptions } from '@tanstack/react-query';
import { api, call } from './client.js';
import type { Schema } from './types.js';

export type Account = Schema<'AccountDto'>;
export type AccountProject = Schema<'AccountProjectDto'>;

const FIVE_MINUTES_MS = 5 * 60_000;

/** Who is signed in, and what they may do where. @throws CallError 401 if nobody is */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call(api.GET('/auth/me', { signal })),
  staleTime: FIVE_MINUTES_MS,
  refetchInterval: FIVE_MINUTES_MS,
});

/** How people sign up and in here. */
export const authConfigQuery = queryOptions({
  queryKey: ['auth-config'],
  queryFn: ({ signal }) => call(api.GET('/auth/config', { signal })),
  staleTime: FIVE_MINUTES_MS,
});
