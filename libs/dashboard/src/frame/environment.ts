import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api, call } from '../api/client.js';
import { allowanceIn, useProject } from '../api/permissions.js';
import type { Environment } from './environments.js';

/** Both imports and receipts create payments. Imports send no events, and grants are not purchases. */
const hasPayments = (projectId: string, environment: 'production' | 'sandbox', signal: AbortSignal) =>
  call(
    api.GET('/v2/projects/{project_id}/transactions', {
      params: { path: { project_id: projectId }, query: { environment, limit: 1 } },
      signal,
    }),
  ).then(({ items }) => items.length > 0);

/** Environments with data. Polls until production has some, because an empty project waits for its first purchase. */
const dataQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'where-data-is'],
    queryFn: async ({ signal }): Promise<'production' | 'sandbox' | 'nowhere'> => {
      if (await hasPayments(projectId, 'production', signal)) return 'production';
      return (await hasPayments(projectId, 'sandbox', signal)) ? 'sandbox' : 'nowhere';
    },
    staleTime: ({ state }) => (state.data === 'production' ? Infinity : 60_000),
    refetchInterval: ({ state }) => (state.data === 'production' ? false : 60_000),
  });

export interface ChosenEnvironment {
  environment: Environment;
  /** Whether sandbox is the default because production has no data yet. */
  isFallback: boolean;
  /** Value for the API's `environment` filter; undefined means both. */
  filter: 'production' | 'sandbox' | undefined;
  /** Whether it is still unknown if production has data. */
  isPending: boolean;
}

/** Returns the environment in the address; else production, or sandbox while production has no data. */
export function useEnvironment(): ChosenEnvironment {
  const { projectId = '' } = useParams({ strict: false });
  const { env } = useSearch({ strict: false });
  const mayAsk = allowanceIn(useProject(), 'listTransactions').allowed;
  const { data: where, isLoading } = useQuery({
    ...dataQuery(projectId),
    enabled: env === undefined && projectId !== '' && mayAsk,
  });
  const environment = env ?? (where === 'sandbox' ? 'sandbox' : 'production');
  return {
    environment,
    isFallback: env === undefined && environment === 'sandbox',
    filter: environment === 'both' ? undefined : environment,
    isPending: isLoading,
  };
}
