import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '../api/paging.js';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { QueryPanel } from '../ui/query-panel.js';
import { useCustomer } from './customer-context.js';
import { text } from './customers.text.js';
import { NeedsPermission } from './needs-permission.js';
import { PurchaseCard } from './purchase-card.js';
import { purchasesQuery } from './purchases.queries.js';

/** What the customer bought once. */
export function PurchasesTab() {
  const { projectId, id } = useCustomer();
  const mayRead = useMay('listCustomerPurchases');
  const options = purchasesQuery(projectId, id);
  const query = useInfiniteQuery({ ...options, enabled: mayRead.allowed });
  if (!mayRead.allowed) return <NeedsPermission reason={mayRead.reason} />;
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {(data) => {
        const purchases = itemsOf(data);
        if (purchases.length === 0) return <EmptyState sentence={text.purchases.none} />;
        return (
          <div className="-mt-4">
            {purchases.map((purchase) => (
              <PurchaseCard key={purchase.id} purchase={purchase} />
            ))}
            {query.hasNextPage && (
              <div className="border-t border-line px-4 py-2">
                <Button
                  size="sm"
                  variant="ghost"
                  busy={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {text.subscriptions.more}
                </Button>
              </div>
            )}
          </div>
        );
      }}
    </QueryPanel>
  );
}
