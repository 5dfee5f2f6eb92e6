import type { PostedReceipt, VerifiedPurchase } from './contract.js';

function productsOf(purchase: VerifiedPurchase): string[] {
  if (purchase.kind === 'one_time') return [purchase.observation.facts.purchase?.value.storeProductId ?? ''];
  return Object.values(purchase.observation.facts.periods).map(({ value }) => value.storeProductId);
}

/** Adds the offering that the device says the purchase was made from. */
export function withHints(
  purchases: VerifiedPurchase[],
  { presentedOfferingId, productIds }: PostedReceipt,
): VerifiedPurchase[] {
  if (presentedOfferingId === null) return purchases;
  return purchases.map((purchase) => {
    if (!productsOf(purchase).some((productId) => productIds.includes(productId))) return purchase;
    const { atMs } = purchase.observation;
    const hints = { at: atMs, src: 'device', value: { presentedOfferingId } } as const;
    return purchase.kind === 'subscription'
      ? { ...purchase, observation: { atMs, facts: { ...purchase.observation.facts, hints } } }
      : { ...purchase, observation: { atMs, facts: { ...purchase.observation.facts, hints } } };
  });
}
