import { type ChainFacts, mergeChainFacts, noChainFacts } from '../../engine/index.js';
import type { VerifiedPurchase } from '../contract.js';
import type { PlayApi } from './play-api.js';
import { PlayCallFailed } from './play-errors.js';
import type { SubscriptionPurchase } from './play-resources.js';
import { settledSubscription } from './settled.js';
import { subscriptionFacts } from './subscription-facts.js';
import { baseItem, noPlayContext, playProductName } from './subscription-told.js';

/** Each new purchase names the one that it replaced. */
const MAX_LINKS = 10;

export interface LinkedPurchases {
  tokens: string[];
  purchases: VerifiedPurchase[];
}

/** Null for what Google does not tell of (any more), also when it cannot be asked now. */
async function olderPurchase(api: PlayApi, token: string): Promise<SubscriptionPurchase | null> {
  try {
    const found = await api.subscription(token);
    return baseItem(found).productId === undefined ? null : found;
  } catch (error) {
    if (error instanceof PlayCallFailed) return null;
    throw error;
  }
}

/**
 * The lives that a purchase took over, each closed by the next one: only the newest token gives access, though
 * Google goes on calling the older ones valid. What Google does not tell of is closed where it is known.
 */
export async function linkedPurchases(
  api: PlayApi,
  token: string,
  purchase: SubscriptionPurchase,
  atMs: number,
): Promise<LinkedPurchases> {
  const linked: LinkedPurchases = { tokens: [], purchases: [] };
  let [successor, successorKey] = [purchase, token];
  while (linked.tokens.length < MAX_LINKS) {
    const { linkedPurchaseToken: key, startTime } = successor;
    if (key === undefined || key === token || linked.tokens.includes(key)) break;
    const beganAtMs = Math.min(atMs, Date.parse(startTime ?? '') || atMs);
    const byProductId = playProductName(baseItem(successor));
    const value = { byChainKey: successorKey, atMs: beganAtMs, byProductId };
    const replaced: ChainFacts = { ...noChainFacts, replaced: { at: beganAtMs, src: 'api', value } };
    const base = { kind: 'chain' as const, key, firstPostStands: false };
    const found = await olderPurchase(api, key);
    linked.tokens.push(key);
    if (found === null) {
      const observation = { atMs: beganAtMs, facts: replaced };
      linked.purchases.push({ ...base, observation, onlyIfKnown: true });
      break;
    }
    const told = subscriptionFacts({ token: key, purchase: found, orders: [], atMs, context: noPlayContext });
    const observation = { atMs, facts: mergeChainFacts(told.facts, replaced) };
    linked.purchases.push({ ...base, observation, settle: settledSubscription(told, atMs) });
    [successor, successorKey] = [found, key];
  }
  return linked;
}
