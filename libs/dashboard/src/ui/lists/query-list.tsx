import { type QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo, type ReactNode } from 'react';
import { Button } from '../button.js';
import { DataList, type DataListProps } from './data-list.js';
import { ListPreview } from './list-preview.js';
import { EmptyState, NoMatch } from '../loading/empty-state.js';
import { ErrorPanel } from '../loading/error-panel.js';
import { formatClock } from '../format/format-time.js';
import { formatNumber } from '../format/format-number.js';
import { useFormat } from '../format/format-context.js';
import { type Loaded } from '../loading/loaded.js';
import { QueryFrame } from '../loading/query-panel.js';
import { SkeletonRows } from '../loading/skeleton.js';
import { StaleNote } from '../loading/stale-note.js';
import { useQueryState } from '../loading/use-query-state.js';

/** Beyond this, filters help more than scrolling. */
const mostRows = 10_000;

interface Pages<T> extends Loaded<{ pages: { items: T[] }[] }> {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export interface QueryListProps<T> extends Omit<DataListProps<T>, 'rows' | 'onEndReached' | 'footer'> {
  /** The result of `useInfiniteQuery` over pages with `items`. */
  query: Pages<T>;
  /** Enables Cancel in "Still loading". */
  queryKey: QueryKey;
  /** Plural noun for the rows, as in "No deliveries match." */
  things: string;
  /** Whether filters are active; an empty list then does not mean that there is no data. */
  filtered?: boolean;
  onClearFilters?: () => void;
  empty: { sentence: ReactNode; action?: ReactNode; docs?: string };
  /** Filters the loaded rows. */
  keep?: (row: T) => boolean;
}

/** A list of a query's pages, in all states. */
export function QueryList<T>(props: QueryListProps<T>) {
  const { query, queryKey, things, filtered, onClearFilters, empty, keep, ...list } = props;
  const state = useQueryState(query, queryKey);
  const format = useFormat();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(() => {
    const all = data?.pages.flatMap(({ items }) => items) ?? [];
    return keep ? all.filter(keep) : all;
  }, [data, keep]);
  const more = hasNextPage && rows.length < mostRows;
  const failed = state.error !== null && data !== undefined;
  const idle = more && !isFetchingNextPage && !query.isFetching && !failed;
  const loadMore = useCallback(() => {
    if (idle) void fetchNextPage();
  }, [idle, fetchNextPage]);
  const none = rows.length === 0;
  return (
    <QueryFrame
      query={query}
      state={{ ...state, reloading: state.reloading && !isFetchingNextPage }}
      skeleton={<SkeletonRows />}
    >
      {none && !hasNextPage ? (
        filtered ? (
          <NoMatch things={things} onClear={onClearFilters} />
        ) : (
          <>
            <ListPreview columns={list.columns} />
            <EmptyState {...empty} />
          </>
        )
      ) : (
        <DataList
          {...list}
          rows={rows}
          onEndReached={idle ? loadMore : undefined}
          footer={
            <ListFooter
              rows={rows.length}
              more={hasNextPage}
              capped={hasNextPage && !more}
              loading={isFetchingNextPage}
              onMore={() => void fetchNextPage()}
              age={
                !failed && (
                  <StaleNote at={query.dataUpdatedAt} onRefresh={query.refetch} busy={query.isFetching} />
                )
              }
            />
          }
        />
      )}
      {failed && (
        <div className="border-t border-line">
          <ErrorPanel
            error={state.error}
            note={`Showing what was loaded at ${formatClock(format, query.dataUpdatedAt)}.`}
            retrying={state.retrying}
            retryIn={state.retryIn}
            onRetry={isFetchingNextPage ? fetchNextPage : query.refetch}
          />
        </div>
      )}
    </QueryFrame>
  );
}

interface FooterProps {
  rows: number;
  more: boolean;
  capped: boolean;
  loading: boolean;
  onMore: () => void;
  /** The age of the rows. */
  age: ReactNode;
}

function ListFooter({ rows, more, capped, loading, onMore, age }: FooterProps) {
  const { locale } = useFormat();
  const shown = formatNumber(locale, rows);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 border-t border-line px-4 py-1 text-sm text-muted tabular-nums">
      {capped
        ? `${shown} loaded. Narrow the filters to see more.`
        : more
          ? `${shown} loaded, more below`
          : rows === 1
            ? '1 row'
            : `${shown} rows`}
      {more && !capped && (
        <Button size="sm" variant="ghost" busy={loading} onClick={onMore}>
          Load more
        </Button>
      )}
      <span className="ms-auto">{age}</span>
    </div>
  );
}
