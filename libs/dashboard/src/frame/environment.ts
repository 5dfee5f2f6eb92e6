import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api, call } from '../api/client.js';
import { allowanceIn, useProject } from '../api/permissions.js';
import type { Environment } from './environments.js';

const hasEvents = (projectId: string, environment: 'production' | 'sandbox', signal: AbortSignal) =>
  call(
    api.GET('/v2/projects/{project_id}/events', {
      params: { path: { project_id: projectId }, query: { environment, limit: 1 } },
      signal,
    }),
  ).then(({ items }) => items.length > 0);

/** Where a project's data is, as long as production has none. */
const onlySandboxQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'only-sandbox'],
    queryFn: async ({ signal }) =>
      !(await hasEvents(projectId, 'production', signal)) && (await hasEvents(projectId, 'sandbox', signal)),
    staleTime: ({ state }) => (state.data === false ? Infinity : 60_000),
  });

export interface ChosenEnvironment {
  environment: Environment;
  /** Sandbox by default: production has no data yet. */
  isFallback: boolean;
  /** For a filter `environment` of the API; undefined means both. */
  filter: 'production' | 'sandbox' | undefined;
  /** Whether production has data is not known yet; what costs much waits for it. */
  isPending: boolean;
}

/** The environment that the address names; else production, or sandbox while production has nothing. */
export function useEnvironment(): ChosenEnvironment {
  const { projectId = '' } = useParams({ strict: false });
  const { env } = useSearch({ strict: false });
  const mayAsk = allowanceIn(useProject(), 'listEvents').allowed;
  const { data: onlySandbox, isLoading } = useQuery({
    ...onlySandboxQuery(projectId),
    enabled: env === undefined && projectId !== '' && mayAsk,
  });
  const environment = env ?? (onlySandbox ? 'sandbox' : 'production');
  return {
    environment,
    isFallback: env === undefined && environment === 'sandbox',
    filter: environment === 'both' ? undefined : environment,
    isPending: isLoading,
  };
}
