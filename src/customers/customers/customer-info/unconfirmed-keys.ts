import {
  deriveState,
  isVerified,
  type OneTimeFacts,
  type SubscriptionFacts,
} from '../../../../libs/engine/index.js';
import type { OneTimeRow, SubscriptionRow } from '../identity/customer-state.js';

/** Followed by the order id: the key of a Google Play subscription whose purchase token is still unknown. */
const TOKEN_NEEDED = 'needs_token_refresh:';

/** A Google Play order id without the renewal number. */
export function baseOrderOf(orderId: string): string {
  return orderId.replace(/\.\.\d+$/, '');
}

export function tokenNeededKey(orderId: string): string {
  return `${TOKEN_NEEDED}${baseOrderOf(orderId)}`;
}

export type KeyState = 'guessed' | 'token_needed';

/** Null: the key is the store's own. */
export function keyStateOf({
  storeKey,
  facts,
}: Pick<SubscriptionRow, 'storeKey' | 'facts'>): KeyState | null {
  const { imported } = facts as SubscriptionFacts;
  if (imported === undefined) return null;
  if (storeKey.startsWith(TOKEN_NEEDED)) return 'token_needed';
  return imported.guessed?.value === true && !isVerified(facts as SubscriptionFacts) ? 'guessed' : null;
}

/** The ids of the payments in a store's report, and the keys of its periods. */
export function paymentIdsOf({ periods }: SubscriptionFacts): string[] {
  return Object.entries(periods).flatMap(([key, { value }]) => [key, value.storeTransactionId]);
}

/** The imported subscription, still without its store key, that a store's report matches. */
export function unconfirmedSubscription(
  own: readonly SubscriptionRow[],
  facts: SubscriptionFacts,
): SubscriptionRow | undefined {
  const waiting = own.filter((row) => keyStateOf(row) !== null);
  if (waiting.length === 0) return undefined;
  const ids = paymentIdsOf(facts);
  const orders = new Set(ids.map(tokenNeededKey));
  return waiting.find((row) => {
    if (orders.has(row.storeKey)) return true;
    const imported = (row.facts as SubscriptionFacts).imported?.periods ?? {};
    return ids.some((id) => Object.values(imported).some(({ value }) => value.storeTransactionId === id));
  });
}

/**
 * The imported subscription of the same customer that a Google Play purchase must continue, although no order id
 * matches: the only one for the product that still lacks its token and gives access. Google sells each product only
 * once at a time.
 */
export function waitingSubscription(
  own: readonly SubscriptionRow[],
  appId: string,
  { periods }: SubscriptionFacts,
  nowMs: number,
): SubscriptionRow | undefined {
  const products = new Set(Object.values(periods).map(({ value }) => value.storeProductId));
  const [row, ...others] = own.filter((one) => {
    if (one.appId !== appId || keyStateOf(one) !== 'token_needed') return false;
    const { givesAccess, storeProductId } = deriveState(one.facts as SubscriptionFacts, nowMs);
    return givesAccess && products.has(storeProductId);
  });
  return others.length === 0 ? row : undefined;
}

/** The imported one-time purchase that a store's report matches under another key. */
export function unconfirmedOneTime(own: readonly OneTimeRow[], facts: OneTimeFacts): OneTimeRow | undefined {
  const id = facts.purchase?.value.storeTransactionId;
  if (id === undefined) return undefined;
  return own.find(({ facts: known }) => {
    const { purchase, imported } = known as OneTimeFacts;
    return purchase === null && imported?.purchase?.value.storeTransactionId === id;
  });
}
