import { ordersUpTo } from './order-facts.js';
import { type Order, type SubscriptionItem, type SubscriptionPurchase, timeOf } from './play-resources.js';

export interface PlayContext {
  /** The price that the device showed, used for the first period if Google reports none. */
  devicePrice: { amountMicros: number; currency: string } | null;
  /** ISO 8601 duration of a product in the catalog. */
  durationOf: (productId: string, planId: string | null) => string | null;
}

/** Context of purchases that no app posted; no catalog is loaded for them. */
export const noPlayContext: PlayContext = { devicePrice: null, durationOf: () => null };

export interface SubscriptionReport {
  token: string;
  purchase: SubscriptionPurchase;
  /** The latest payment and those before it; empty without permission to read them. */
  orders: Order[];
  /** When Google was asked. */
  atMs: number;
  context: PlayContext;
}

/** Google ends items at slightly different times. */
const ENDS_TOGETHER_MS = 60_000;

/** The possible base items: the one with a deferred replacement, else those that run longest. */
function baseCandidates(items: SubscriptionItem[]): SubscriptionItem[] {
  const followed = items.filter(({ deferredItemReplacement: next }) => next?.productId !== undefined);
  const ends = (followed.length > 0 ? followed : items).flatMap((item) => {
    const endMs = timeOf(item.expiryTime);
    return endMs === null ? [] : { item, endMs };
  });
  const latestMs = Math.max(...ends.map(({ endMs }) => endMs));
  return ends.filter(({ endMs }) => endMs >= latestMs - ENDS_TOGETHER_MS).map(({ item }) => item);
}

/**
 * Puts the base item first: the order of Google's list means nothing, and an item without an end is not running yet.
 * Among items that end together, it is the one with `knownProductId`, else the first.
 */
export function withBaseFirst(
  purchase: SubscriptionPurchase,
  knownProductId: string | null = null,
): SubscriptionPurchase {
  const { lineItems = [] } = purchase;
  const candidates = baseCandidates(lineItems);
  const base = candidates.find(({ productId }) => productId === knownProductId) ?? candidates[0];
  if (base === undefined || base === lineItems[0]) return purchase;
  return { ...purchase, lineItems: [base, ...lineItems.filter((item) => item !== base)] };
}

/** The product that the subscription is about, listed first; further items are add-ons. */
export function baseItem({ lineItems }: SubscriptionPurchase): SubscriptionItem {
  return lineItems?.[0] ?? {};
}

export function latestKeyOf(token: string, purchase: SubscriptionPurchase): string {
  return baseItem(purchase).latestSuccessfulOrderId ?? purchase.latestOrderId ?? token;
}

export function deferredItem(purchase: SubscriptionPurchase): SubscriptionItem | null {
  const { deferredItemReplacement: next } = baseItem(purchase);
  if (next?.productId === undefined) return null;
  const items = (purchase.lineItems ?? []).slice(1);
  return items.find(({ productId, expiryTime }) => productId === next.productId && !expiryTime) ?? next;
}

/** Items sold together with the base item. A deferred replacement is not one yet. */
export function addOnItems(purchase: SubscriptionPurchase): SubscriptionItem[] {
  const [base, ...others] = purchase.lineItems ?? [];
  const toCome = new Set(purchase.lineItems?.map(({ deferredItemReplacement: next }) => next?.productId));
  return others.filter(({ productId, expiryTime, latestSuccessfulOrderId: orderId }) => {
    const isToCome = toCome.has(productId) && orderId === undefined;
    return (
      productId !== undefined && productId !== base?.productId && timeOf(expiryTime) !== null && !isToCome
    );
  });
}

/** Order ids of a subscription and its add-ons, the base item's first. */
export function ordersOf(token: string, purchase: SubscriptionPurchase): string[] {
  const latest = addOnItems(purchase).flatMap(({ latestSuccessfulOrderId: id }) => id ?? []);
  return [...new Set([latestKeyOf(token, purchase), ...latest].flatMap(ordersUpTo))];
}

/** The plan's name in catalogs. */
export function playProductName({ productId = '', offerDetails }: SubscriptionItem): string {
  const { basePlanId } = offerDetails ?? {};
  return basePlanId === undefined ? productId : `${productId}:${basePlanId}`;
}
