import type { Schema } from '../../api/types.js';
import { useCustomer } from '../customer-context.js';
import { useSummary } from '../use-summary.js';

/** Names and amount of a purchase. Undefined until the summary is loaded. */
export function useBought(purchaseId: string): Schema<'PurchaseRowDto'> | undefined {
  const { projectId, id } = useCustomer();
  const summary = useSummary(projectId, id).data?.items[0];
  return [...(summary?.subscriptions ?? []), ...(summary?.purchases ?? [])].find(
    (found) => found.id === purchaseId,
  );
}

/** Display names of the customer's products by identifier. An identifier without a name is its own name. */
export function useProductNames(): (identifier: string) => string {
  const { projectId, id } = useCustomer();
  const summary = useSummary(projectId, id).data?.items[0];
  const rows = [...(summary?.subscriptions ?? []), ...(summary?.purchases ?? [])];
  const names = new Map(rows.map((row) => [row.product_identifier, row.product_display_name]));
  return (identifier) => names.get(identifier) ?? identifier;
}

/** The product's display name, or else its identifier in the store; the id until it is loaded. */
export function useProductName(purchaseId: string): string {
  const bought = useBought(purchaseId);
  return bought?.product_display_name ?? bought?.product_identifier ?? purchaseId;
}
