import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api, call } from '../api/client.js';
import { allowanceIn, useProject } from '../api/permissions.js';
import type { Environment } from './environments.js';

/** Imports and receipts both leave payments; an import sends no events, and a grant is not a purchase. */
const hasPayments = (projectId: string, environment: 'production' | 'sandbox', signal: AbortSignal) =>
  call(
    api.GET('/v2/projects/{project_id}/transactions', {
      params: { path: { project_id: projectId }, query: { environment, limit: 1 } },
      signal,
    }),
  ).then(({ items }) => items.length > 0);

/** Where a project has data. Asked again until production has some, and without any the page waits for the first. */
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
  /** Sandbox by default: production has no data yet. */
  isFallback: boolean;
  /** For a filter `environment` of the API; undefined means both. */
  filter: 'production' | 'sandbox' | undefined;
  /** Whether production has data is not known yet. */
  isPending: boolean;
}

/** The environment that the address names; else production, or sandbox while production has nothing. */
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
