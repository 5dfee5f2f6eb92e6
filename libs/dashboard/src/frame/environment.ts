import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api, call } from '../api/client.js';
import { allowanceIn, useProject } from '../api/permissions.js';
import type { Environment } from './environments.js';

const newestEvents = (
  projectId: string,
  query: { environment: 'production' | 'sandbox'; limit: number },
  signal: AbortSignal,
) =>
  call(
    api.GET('/v2/projects/{project_id}/events', {
      params: { path: { project_id: projectId }, query },
      signal,
    }),
  ).then(({ items }) => items);

/** So many grants in a row, and nothing newer from a store, are not what a project without purchases looks like. */
const MANY_GRANTS = 20;

/** A grant counts as production, also one to a customer who tests: by itself it does not make production worth showing. */
async function productionHasData(projectId: string, signal: AbortSignal): Promise<boolean> {
  const events = await newestEvents(projectId, { environment: 'production', limit: MANY_GRANTS }, signal);
  return events.length === MANY_GRANTS || events.some(({ body }) => body.store !== 'PROMOTIONAL');
}

/** Where a project has data. Asked again until production has some, and without any the page waits for the first. */
const dataQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'where-data-is'],
    queryFn: async ({ signal }): Promise<'production' | 'sandbox' | 'nowhere'> => {
      if (await productionHasData(projectId, signal)) return 'production';
      const [sandbox] = await newestEvents(projectId, { environment: 'sandbox', limit: 1 }, signal);
      return sandbox ? 'sandbox' : 'nowhere';
    },
    staleTime: ({ state }) => (state.data === 'production' ? Infinity : 60_000),
    refetchInterval: ({ state }) => (state.data === 'nowhere' ? 30_000 : false),
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
  const mayAsk = allowanceIn(useProject(), 'listEvents').allowed;
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
