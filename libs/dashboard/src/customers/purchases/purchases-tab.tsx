import { useMay } from '../../api/permissions.js';
import { CardsTab } from './cards-tab.js';
import { useCustomer } from '../customer-context.js';
import { PurchaseCard } from './purchase-card.js';
import { purchasesQuery } from './purchases.queries.js';

/** The customer's one-time purchases. */
export function PurchasesTab() {
  const { projectId, id } = useCustomer();
  return (
    <CardsTab
      options={purchasesQuery(projectId, id)}
      mayRead={useMay('listCustomerPurchases')}
      none="No one-time purchases."
      card={(purchase) => <PurchaseCard key={purchase.id} purchase={purchase} />}
    />
  );
}
