import type { HintFact } from '../engine/index.js';
import type { PostedReceipt, VerifiedPurchase } from './contract.js';

type Presented = Pick<PostedReceipt, 'presentedOfferingId' | 'presentedPlacementId' | 'targetingRule'>;

/** The offering, placement and rule that led to the purchase, according to the device. */
export function hintOf({ presentedOfferingId, presentedPlacementId, targetingRule }: Presented): HintFact {
  return {
    presentedOfferingId,
    ...(presentedPlacementId && { presentedPlacementId }),
    ...(targetingRule && { targetingRule }),
  };
}

function productsOf(purchase: VerifiedPurchase): string[] {
  if (purchase.kind === 'one_time') return [purchase.observation.facts.purchase?.value.storeProductId ?? ''];
  return Object.values(purchase.observation.facts.periods).map(({ value }) => value.storeProductId);
}

/** Adds the offering, placement and rule that led to the purchase, according to the device. */
export function withHints(purchases: VerifiedPurchase[], receipt: PostedReceipt): VerifiedPurchase[] {
  const { presentedOfferingId, presentedPlacementId, targetingRule, productIds } = receipt;
  if (!(presentedOfferingId ?? presentedPlacementId ?? targetingRule)) return purchases;
  const value = hintOf(receipt);
  return purchases.map((purchase) => {
    if (!productsOf(purchase).some((productId) => productIds.includes(productId))) return purchase;
    const { atMs } = purchase.observation;
    const hints = { at: atMs, src: 'device', value } as const;
    return purchase.kind === 'subscription'
      ? { ...purchase, observation: { atMs, facts: { ...purchase.observation.facts, hints } } }
      : { ...purchase, observation: { atMs, facts: { ...purchase.observation.facts, hints } } };
  });
}
