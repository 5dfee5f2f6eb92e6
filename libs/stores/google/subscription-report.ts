import { ordersUpTo } from './order-facts.js';
import { type Order, type SubscriptionItem, type SubscriptionPurchase, timeOf } from './play-resources.js';

/** What is known beside Google's word on the subscription. */
export interface PlayContext {
  /** Price that the device showed; used for the first period where Google names none. */
  devicePrice: { amountMicros: number; currency: string } | null;
  /** ISO 8601 duration of a product in the catalog. */
  durationOf: (productId: string, planId: string | null) => string | null;
}

/** Nobody posted it, and no catalog is at hand. */
export const noPlayContext: PlayContext = { devicePrice: null, durationOf: () => null };

export interface SubscriptionReport {
  token: string;
  purchase: SubscriptionPurchase;
  /** What Google says of the latest payment and those before it; none without the permission to read them. */
  orders: Order[];
  /** When Google was asked. */
  atMs: number;
  context: PlayContext;
}

/** Google does not end all items at the very same instant. */
const ENDS_TOGETHER_MS = 60_000;

/** The items that the subscription may be about: the one that another follows, else those that run longest. */
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
 * The same purchase with the item first that the subscription is about: the order of Google's list means nothing, and
 * what has no end does not run yet. Of items that end together it is the one of `knownProductId`, else the first.
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

/** The item that the subscription is about, of a purchase that has it first; further ones are add-ons. */
export function baseItem({ lineItems }: SubscriptionPurchase): SubscriptionItem {
  return lineItems?.[0] ?? {};
}

/** Names the latest payment. */
export function latestKeyOf(token: string, purchase: SubscriptionPurchase): string {
  return baseItem(purchase).latestSuccessfulOrderId ?? purchase.latestOrderId ?? token;
}

/** The item that takes the place of the base item when that is over; null when none does. */
export function deferredItem(purchase: SubscriptionPurchase): SubscriptionItem | null {
  const { deferredItemReplacement: next } = baseItem(purchase);
  if (next?.productId === undefined) return null;
  const items = (purchase.lineItems ?? []).slice(1);
  return items.find(({ productId, expiryTime }) => productId === next.productId && !expiryTime) ?? next;
}

/** Items that are sold together with the base item. What takes the place of another later is none yet. */
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

/** Ids of the orders that paid for a subscription and its add-ons, those of the base item first. */
export function ordersOf(token: string, purchase: SubscriptionPurchase): string[] {
  const latest = addOnItems(purchase).flatMap(({ latestSuccessfulOrderId: id }) => id ?? []);
  return [...new Set([latestKeyOf(token, purchase), ...latest].flatMap(ordersUpTo))];
}

/** The name of a plan as catalogs have it. */
export function playProductName({ productId = '', offerDetails }: SubscriptionItem): string {
  const { basePlanId } = offerDetails ?? {};
  return basePlanId === undefined ? productId : `${productId}:${basePlanId}`;
}
