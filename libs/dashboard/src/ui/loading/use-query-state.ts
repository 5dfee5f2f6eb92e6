import { QueryClientContext, type QueryKey } from '@tanstack/react-query';
import { use, useState } from 'react';
import { type Loaded, useAfter } from './loaded.js';
import { toShownError, type ShownError } from './shown-error.js';
import { useAutoRetry } from './use-auto-retry.js';

export interface QueryState {
  /** The last error. It remains during the next attempt, to avoid layout shifts. */
  error: ShownError | null;
  retrying: boolean;
  retryIn: number | null;
  retry: () => unknown;
  /** Whether data is shown while newer data loads. */
  reloading: boolean;
  /** Whether loading takes longer than 10 seconds. */
  slow: boolean;
  cancel: (() => void) | undefined;
  cancelled: boolean;
}

/** The states that panels and lists share. */
export function useQueryState(query: Loaded<unknown>, queryKey?: QueryKey): QueryState {
  const { data, isFetching, refetch } = query;
  const client = use(QueryClientContext);
  const [last, setLast] = useState<unknown>(null);
  const [cancelled, setCancelled] = useState(false);
  if (query.error && query.error !== last) setLast(query.error);
  if (!query.error && last !== null && !isFetching) setLast(null);
  if (cancelled && (isFetching || data !== undefined)) setCancelled(false);
  const error = last === null ? null : toShownError(last);
  return {
    error,
    retrying: isFetching,
    retryIn: useAutoRetry(query.error, !query.error && data !== undefined, refetch),
    retry: refetch,
    reloading: useAfter(isFetching && data !== undefined, 400),
    slow: useAfter(isFetching, 10_000),
    cancel:
      queryKey && client
        ? () =>
            void client.cancelQueries({ queryKey, exact: true }).then(() => setCancelled(data === undefined))
        : undefined,
    cancelled,
  };
}
