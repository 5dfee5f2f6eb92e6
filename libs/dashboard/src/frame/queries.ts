import { MutationCache, QueryCache, QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import { CallError } from '../api/call-error.js';
import { accountQuery } from '../api/account.queries.js';

interface SessionOfCalls {
  /** Hears of every 401 but those that the sign-in itself gets. */
  ended: (error: CallError) => void;
  /** Whether the call was made for a session before the one of now. */
  isOutdated: (error: CallError) => boolean;
}

/** What the server said when it refused a read of a project for want of single sign-on. Written by the cache itself. */
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
    // A wrong two-factor code is also answered 401; the session goes on.
    const isSignedOut = error.status === 401 && !error.type.startsWith('two_factor_');
    if (isSignedOut && meta?.anonymous !== true) session().ended(error);
    // The rights may have changed since they were read.
    if (error.status === 403) void client.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  const mayRetry = (error: unknown) =>
    error instanceof CallError && (error.retryable || (error.status === 401 && session().isOutdated(error)));
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, queryKey: [projectId] }) => {
        onError(error, meta);
        // Keys of what belongs to a project begin with its id.
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
        // Errors are those of the server, offline or not; a poll while hidden serves no one.
        networkMode: 'always',
        refetchIntervalInBackground: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
