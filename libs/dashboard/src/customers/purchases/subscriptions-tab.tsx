import { useMay } from '../../api/permissions.js';
import { CardsTab } from './cards-tab.js';
import { useCustomer } from '../customer-context.js';
import { subscriptionsQuery } from './purchases.queries.js';
import { SubscriptionCard } from './subscription-card.js';

/** The customer's subscriptions and grants. */
export function SubscriptionsTab() {
  const { projectId, id } = useCustomer();
  return (
    <CardsTab
      options={subscriptionsQuery(projectId, id)}
      mayRead={useMay('listCustomerSubscriptions')}
      none="No subscriptions."
      card={(subscription) => <SubscriptionCard key={subscription.id} subscription={subscription} />}
    />
  );
}
