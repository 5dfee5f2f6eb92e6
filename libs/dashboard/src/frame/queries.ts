import { MutationCache, QueryCache, QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import { CallError } from '../api/call-error.js';
import { accountQuery } from '../api/account.queries.js';

interface SessionOfCalls {
  /** Called on every 401, except those of the sign-in itself. */
  ended: (error: CallError) => void;
  /** Whether the call was made for an earlier session. */
  isOutdated: (error: CallError) => boolean;
}

/** The server's message when a project requires single sign-on. Only the cache writes it. */
export const ssoRefusalOf = (projectId: string) =>
  queryOptions<string>({
    queryKey: ['sso-refusal', projectId],
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** The cache of all reads. */
export function createQueryClient(session: () => SessionOfCalls): QueryClient {
  const onError = (error: unknown, meta: Record<string, unknown> | undefined) => {
    if (!(error instanceof CallError)) return;
    // A wrong two-factor code also returns 401, but the session continues.
    const isSignedOut = error.status === 401 && !error.type.startsWith('two_factor_');
    if (isSignedOut && meta?.anonymous !== true) session().ended(error);
    // Permissions may have changed since they were loaded.
    if (error.status === 403) void client.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  const mayRetry = (error: unknown) =>
    error instanceof CallError && (error.retryable || (error.status === 401 && session().isOutdated(error)));
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, queryKey: [projectId] }) => {
        onError(error, meta);
        // Query keys of project data start with the project's id.
        if (error instanceof CallError && error.isSsoRequired)
          client.setQueryData(ssoRefusalOf(String(projectId)).queryKey, error.message);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => onError(error, mutation.meta),
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && mayRetry(error),
        retryDelay: (failures, error) =>
          error instanceof CallError && error.retryAfterS !== null
            ? error.retryAfterS * 1000
            : 1000 * 2 ** failures,
        // Errors come from the server, offline or not. Polling in a hidden tab is useless.
        networkMode: 'always',
        refetchIntervalInBackground: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
