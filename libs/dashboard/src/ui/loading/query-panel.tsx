import { type QueryKey } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Button } from '../button.js';
import { ErrorPanel } from './error-panel.js';
import { type Loaded } from './loaded.js';
import { Skeleton } from './skeleton.js';
import { StaleNote } from './stale-note.js';
import { type QueryState, useQueryState } from './use-query-state.js';

interface QueryPanelProps<T> {
  query: Loaded<T>;
  children: (data: T) => ReactNode;
  /** Placeholder before the first response. */
  skeleton?: ReactNode;
  /** Enables Cancel in "Still loading". */
  queryKey: QueryKey;
  /** Shows "as of 14:03" above data older than a minute. */
  stale?: boolean;
}

/** The data of a query in all states: loading, slow, loaded, failed, stale. */
export function QueryPanel<T>({ query, children, skeleton, queryKey, stale }: QueryPanelProps<T>) {
  const state = useQueryState(query, queryKey);
  const { data } = query;
  return (
    <QueryFrame query={query} state={state} skeleton={skeleton ?? <Skeleton className="p-4" />}>
      {(stale || state.error) && data !== undefined && (
        <div className="flex justify-end px-4 py-1 empty:hidden">
          <StaleNote
            at={query.dataUpdatedAt}
            onRefresh={query.refetch}
            busy={query.isFetching}
            unreachable={state.error !== null}
          />
        </div>
      )}
      {data !== undefined && children(data)}
    </QueryFrame>
  );
}

interface QueryFrameProps {
  query: Loaded<unknown>;
  state: QueryState;
  skeleton: ReactNode;
  /** Rendered once there is data. */
  children: ReactNode;
}

/** The frame around a query's data, and its placeholder until there is data. */
export function QueryFrame({ query, state, skeleton, children }: QueryFrameProps) {
  const { error, retry, retrying, retryIn, cancel, cancelled } = state;
  const none = query.data === undefined;
  return (
    <div className="relative" aria-busy={query.isFetching}>
      {state.reloading && <LoadingBar />}
      {state.slow && (
        <div role="status" className="flex min-h-11 items-center gap-3 px-4 py-2 text-muted">
          Still loading
          {cancel && (
            <Button size="sm" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {none && error && <ErrorPanel error={error} onRetry={retry} retrying={retrying} retryIn={retryIn} />}
      {none && !error && cancelled && (
        <div className="flex items-center gap-3 px-4 py-5 text-muted">
          Loading was cancelled.
          <Button size="sm" icon="refresh" onClick={() => retry()}>
            Retry
          </Button>
        </div>
      )}
      {none && !error && !cancelled && query.isFetching && skeleton}
      {!none && children}
    </div>
  );
}

/** A thin bar above data that is being reloaded. */
function LoadingBar() {
  return (
    <div aria-hidden="true" className="absolute inset-x-0 top-0 z-2 h-0.5 overflow-hidden">
      <div className="ui-slide h-full w-1/3 bg-accent" />
    </div>
  );
}
