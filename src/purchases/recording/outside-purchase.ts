import type { OneTimeFacts, SubscriptionFacts } from '../../../libs/engine/index.js';

/** A purchase from a web store that may belong to a token of an app store. */
export interface OutsidePurchase {
  /** Id of the subscription or one-time purchase. */
  id: string;
  /** Key within the store; never changes. */
  key: string;
  store: string;
  environment: string;
  customerId: string;
  facts: SubscriptionFacts | OneTimeFacts;
  /** Time of the first charge, or of the start of a trial. */
  boughtAtMs: number;
  /** Ids of tokens that the seller stored with the purchase, by priority; unchecked. */
  tokenIds: readonly string[];
  /** Key of the subscription sold by the same payment. */
  soldWith: string | null;
}

export function isOutside({ store }: Pick<OutsidePurchase, 'store'>): boolean {
  return store === 'stripe' || store === 'paddle';
}
