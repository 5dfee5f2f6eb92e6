import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '../api/paging.js';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { QueryPanel } from '../ui/query-panel.js';
import { useCustomer } from './customer-context.js';
import { text } from './customers.text.js';
import { NeedsPermission } from './needs-permission.js';
import { SubscriptionCard } from './subscription-card.js';
import { subscriptionsQuery } from './purchases.queries.js';

/** What the customer subscribed to, and what was granted. */
export function SubscriptionsTab() {
  const { projectId, id } = useCustomer();
  const mayRead = useMay('listCustomerSubscriptions');
  const options = subscriptionsQuery(projectId, id);
  const query = useInfiniteQuery({ ...options, enabled: mayRead.allowed });
  if (!mayRead.allowed) return <NeedsPermission reason={mayRead.reason} />;
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {(data) => {
        const subscriptions = itemsOf(data);
        if (subscriptions.length === 0) return <EmptyState sentence={text.subscriptions.none} />;
        return (
          <div className="-mt-4">
            {subscriptions.map((subscription) => (
              <SubscriptionCard key={subscription.id} subscription={subscription} />
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
