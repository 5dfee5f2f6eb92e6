import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { itemsOf, type pagedQuery } from '../../api/paging.js';
import type { Allowance } from '../../api/permissions.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { NeedsPermission } from '../needs-permission.js';

interface CardsTabProps<Item> {
  options: ReturnType<typeof pagedQuery<Item>>;
  mayRead: Allowance;
  /** Text for an empty list. */
  none: string;
  card: (item: Item) => ReactNode;
}

/** A list of cards, page by page. */
export function CardsTab<Item>({ options, mayRead, none, card }: CardsTabProps<Item>) {
  const query = useInfiniteQuery({ ...options, enabled: mayRead.allowed });
  if (!mayRead.allowed) return <NeedsPermission reason={mayRead.reason} />;
  return (
    <QueryPanel query={query} queryKey={options.queryKey} skeleton={<Skeleton className="-mt-4 p-4" />}>
      {(data) => {
        const items = itemsOf(data);
        if (items.length === 0) return <EmptyState sentence={none} />;
        return (
          <div className="-mt-4">
            {items.map(card)}
            {query.hasNextPage && (
              <div className="border-t border-line px-4 py-2">
                <Button
                  size="sm"
                  variant="ghost"
                  busy={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Load more
                </Button>
              </div>
            )}
          </div>
        );
      }}
    </QueryPanel>
  );
}
