import { type PlayApi, MAX_ORDERS } from './play-api.js';
import { PlayCallFailed, type PlayFailure } from './play-errors.js';

export interface OrderTokens {
  /** Purchase token by order id. */
  tokens: Map<string, string>;
  /** Order ids that failed alone: Google does not know them for this app, or no longer does. */
  unknown: string[];
  /** Why the remaining orders were not requested. Null if all were, or if `goOn` stopped. */
  failed: PlayCallFailed | null;
}

/** These failures do not depend on the order, so halves of the list would fail the same way. */
const ofAllOrders: ReadonlySet<PlayFailure> = new Set(['credentials', 'package', 'quota', 'unavailable']);

/**
 * Finds the purchases that orders paid for. A single id that Google does not know, or that belongs to another app,
 * fails the whole call. So a list that fails is halved down to single ids: at most 2 * log2(n) more calls for one bad
 * id.
 * @param goOn called before each request; false stops
 */
export async function tokensOfOrders(
  api: Pick<PlayApi, 'orders'>,
  orderIds: readonly string[],
  goOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<OrderTokens> {
  const found: OrderTokens = { tokens: new Map(), unknown: [], failed: null };
  const lists: string[][] = [];
  const distinct = [...new Set(orderIds)];
  for (let from = 0; from < distinct.length; from += MAX_ORDERS) {
    lists.push(distinct.slice(from, from + MAX_ORDERS));
  }
  for (let list = lists.shift(); list !== undefined && (await goOn()); list = lists.shift()) {
    try {
      for (const { orderId, purchaseToken } of await api.orders(list)) {
        if (orderId !== undefined && purchaseToken !== undefined) found.tokens.set(orderId, purchaseToken);
      }
      // An order missing from the answer is as unknown as one that fails the call.
      found.unknown.push(...list.filter((id) => !found.tokens.has(id)));
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      if (ofAllOrders.has(error.failure)) return { ...found, failed: error };
      if (list.length === 1) found.unknown.push(...list);
      else lists.unshift(...halves(list));
    }
  }
  return found;
}

function halves(list: string[]): string[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
