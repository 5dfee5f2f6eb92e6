import { useQuery } from '@tanstack/react-query';
import { useCustomer } from '../customer-context.js';
import { summaryQuery } from '../customers.queries.js';

/** The product's name in the store; the id until it is loaded. */
export function useProductName(purchaseId: string): string {
  const { projectId, id } = useCustomer();
  const { data } = useQuery(summaryQuery(projectId, id));
  const summary = data?.items[0];
  const row = [...(summary?.subscriptions ?? []), ...(summary?.purchases ?? [])].find(
    (found) => found.id === purchaseId,
  );
  return row?.product_identifier ?? purchaseId;
}
