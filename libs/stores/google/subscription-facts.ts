import {
  type ChainFacts,
  type EndFacts,
  noChainFacts,
  type PeriodFact,
  type PeriodKind,
  type Price,
  type RefundFact,
  type Register,
} from '../../engine/index.js';
import { addPeriods, alpha2Country, parsePeriod } from '../../kernel/index.js';
import { type OrderFacts, orderFacts, orderNumber, type OrderRefund, refundFact } from './order-facts.js';
import {
  moneyOf,
  type Order,
  type SubscriptionItem,
  type SubscriptionPurchase,
  timeOf,
} from './play-resources.js';
import { renewalFact, stateOf, tellsPaidEnd } from './subscription-state.js';

/** What is known beside Google's word on the subscription. */
export interface PlayContext {
  /** Price that the device showed; used for the first period where Google names none. */
  devicePrice: { amountMicros: number; currency: string } | null;
  /** ISO 8601 duration of a product in the catalog. */
  durationOf: (productId: string, planId: string | null) => string | null;
}

/** Nobody posted it, and no catalog is at hand. */
export const noPlayContext: PlayContext = { devicePrice: null, durationOf: () => null };

export interface SubscriptionTold {
  token: string;
  purchase: SubscriptionPurchase;
  /** What Google says of the latest payment and those before it; none without the permission to read them. */
  orders: Order[];
  /** When Google was asked. */
  atMs: number;
  context: PlayContext;
}

/** Facts of a subscription, and what of them is only a guess until they meet what is known. */
export interface SubscriptionFacts {
  facts: ChainFacts;
  latestKey: string;
  /** The start of the latest period is a guess. */
  startIsGuess: boolean;
}

const END_TOLERANCE_MS = 60_000;
const UNKNOWN_PRICE: Price = { amountMicros: null, currency: null, source: 'unknown' };

/** The item that the subscription is about; further ones are add-ons. */
export function baseItem({ lineItems }: SubscriptionPurchase): SubscriptionItem {
  return lineItems?.[0] ?? {};
}

/** Names the latest payment. */
export function latestKeyOf(token: string, purchase: SubscriptionPurchase): string {
  return baseItem(purchase).latestSuccessfulOrderId ?? purchase.latestOrderId ?? token;
}

/** The name of a plan as catalogs have it. */
export function playProductName({ productId = '', offerDetails }: SubscriptionItem): string {
  const { basePlanId } = offerDetails ?? {};
  return basePlanId === undefined ? productId : `${productId}:${basePlanId}`;
}

function kindOf(item: SubscriptionItem, order: OrderFacts | null, told: SubscriptionTold): PeriodKind {
  if (item.prepaidPlan !== undefined) return 'prepaid';
  const { offerPhase, offerDetails } = item;
  if (offerPhase?.freeTrial) return 'trial';
  if (offerPhase?.introductoryPrice) return 'intro';
  if (offerPhase?.basePrice) return 'normal';
  const before = offerPhase?.prorationPeriod?.originalOfferPhaseType;
  if (before === 'FREE_TRIAL') return 'trial';
  if (before === 'INTRODUCTORY') return 'intro';
  if (order?.kind) return order.kind;
  const isOffer =
    offerDetails?.offerId !== undefined && orderNumber(latestKeyOf(told.token, told.purchase)) < 0;
  return isOffer && told.context.devicePrice?.amountMicros === 0 ? 'trial' : 'normal';
}

function priceOf(
  item: SubscriptionItem,
  kind: PeriodKind,
  isFirst: boolean,
  order: OrderFacts | null,
  { context }: SubscriptionTold,
): Price {
  if (order?.price) return order.price;
  const listed = moneyOf(item.autoRenewingPlan?.recurringPrice);
  if (kind === 'trial') {
    return {
      amountMicros: 0,
      currency: listed?.currency ?? context.devicePrice?.currency ?? null,
      source: 'store',
    };
  }
  if (isFirst && context.devicePrice) return { ...context.devicePrice, source: 'device' };
  // The list price: what an offer costs is another.
  if (listed && kind === 'normal') return { ...listed, source: 'catalog' };
  return UNKNOWN_PRICE;
}

/** Start of a period of which only the end is known. */
function guessedStart(item: SubscriptionItem, startMs: number, endMs: number, context: PlayContext): number {
  const duration = parsePeriod(
    context.durationOf(item.productId ?? '', item.offerDetails?.basePlanId ?? null) ?? '',
  );
  if (!duration) return startMs;
  return Math.max(startMs, addPeriods(endMs, duration, -1));
}

function earlierPeriods(told: SubscriptionTold, latest: PeriodFact, latestKey: string): ChainFacts {
  const facts: ChainFacts = { ...noChainFacts, periods: {}, refunds: {} };
  for (const order of told.orders) {
    const { orderId = '' } = order;
    const { startMs, endMs, kind, price, refund, productId, planId } = orderFacts(
      order,
      latest.storeProductId,
    );
    if (orderId === latestKey || startMs === null || endMs === null) continue;
    // What was read while the period ran is better: its end may have moved since.
    const value: PeriodFact = {
      ...latest,
      storeProductId: productId ?? latest.storeProductId,
      planId: planId ?? latest.planId,
      kind: kind ?? 'normal',
      isRenewal: orderNumber(orderId) >= 0,
      startMs,
      endMs,
      price: price ?? UNKNOWN_PRICE,
      storeTransactionId: orderId,
    };
    facts.periods[orderId] = { at: startMs, src: 'api', value };
    if (refund) facts.refunds[orderId] = { at: refund.atMs, src: 'api', value: refundFact(refund, true) };
  }
  return facts;
}

/**
 * Of a life that ended by itself the order does not tell whether the refund took access: what was seen or told at
 * the time is better.
 */
function latestRefund(
  refund: OrderRefund,
  isOver: boolean,
  wasCut: boolean,
  atMs: number,
): Register<RefundFact> {
  const at = isOver && !wasCut ? refund.atMs : atMs;
  return { at, src: 'api', value: refundFact(refund, isOver) };
}

/** What Google says of a subscription. */
export function subscriptionFacts(told: SubscriptionTold): SubscriptionFacts {
  const { token, purchase, atMs, context } = told;
  const item = baseItem(purchase);
  const state = stateOf(purchase);
  const latestKey = latestKeyOf(token, purchase);
  const isFirst = orderNumber(latestKey) < 0;
  const found = told.orders.find(({ orderId }) => orderId === latestKey);
  const order = found ? orderFacts(found, item.productId) : null;
  const beganAtMs = timeOf(purchase.startTime) ?? atMs;
  const expiryMs = timeOf(item.expiryTime) ?? beganAtMs;
  const isPaidEnd = tellsPaidEnd(state);
  const kind = kindOf(item, order, told);
  const startIsGuess = !isFirst && (order?.startMs ?? null) === null;
  const startMs = order?.startMs ?? (isFirst ? beganAtMs : guessedStart(item, beganAtMs, expiryMs, context));
  const endMs = Math.max(startMs, isPaidEnd ? expiryMs : paidEndOf(told, order, startMs, expiryMs));
  const period: PeriodFact = {
    storeProductId: item.productId ?? '',
    planId: item.offerDetails?.basePlanId ?? null,
    offerCode: item.signupPromotion?.vanityCode?.promotionCode ?? null,
    kind,
    isRenewal: !isFirst,
    startMs,
    endMs,
    price: priceOf(item, kind, isFirst, order, told),
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: latestKey,
    country: alpha2Country(purchase.regionCode ?? null),
  };
  const earlier = earlierPeriods(told, period, latestKey);
  const wasCut = state === 'EXPIRED' && expiryMs < (order?.endMs ?? 0) - END_TOLERANCE_MS;
  const register = <T>(value: T): Register<T> => ({ at: atMs, src: 'api', value });
  const ends: EndFacts = {
    ...(state === 'EXPIRED' && { expired: register<number | null>(expiryMs) }),
    ...(state === 'IN_GRACE_PERIOD' && { grace: register<number | null>(expiryMs) }),
    // On hold the end is that of grace, where there was one.
    ...(state === 'ON_HOLD' &&
      expiryMs > endMs + END_TOLERANCE_MS && { grace: register<number | null>(expiryMs) }),
  };
  const isReplaced = purchase.canceledStateContext?.replacementCancellation !== undefined;
  const facts: ChainFacts = {
    ...earlier,
    // In other states the end of the item is something else: what was read while the period ran is better.
    periods: {
      ...earlier.periods,
      [latestKey]: isPaidEnd
        ? register(period)
        : { at: Math.min(atMs, startMs), src: 'notification_hint', value: period },
    },
    refunds: {
      ...earlier.refunds,
      ...(order?.refund && { [latestKey]: latestRefund(order.refund, state === 'EXPIRED', wasCut, atMs) }),
    },
    renewal: register({
      ...renewalFact(purchase, item, latestKey),
      ...commitmentOf(item, expiryMs, context),
    }),
    replaced: isReplaced && state === 'EXPIRED' ? register({ byChainKey: null, atMs: expiryMs }) : null,
    ...(Object.keys(ends).length > 0 && { ends: { [latestKey]: ends } }),
  };
  return { facts, latestKey, startIsGuess };
}

/** The end of what was paid for, in states that tell another end. */
function paidEndOf(
  { purchase, context }: SubscriptionTold,
  order: OrderFacts | null,
  startMs: number,
  expiryMs: number,
): number {
  if (order?.endMs) return order.endMs;
  if (stateOf(purchase) !== 'IN_GRACE_PERIOD') return expiryMs;
  const item = baseItem(purchase);
  const duration = parsePeriod(
    context.durationOf(item.productId ?? '', item.offerDetails?.basePlanId ?? null) ?? '',
  );
  return duration ? Math.min(expiryMs, addPeriods(startMs, duration)) : expiryMs;
}

/** Who cancelled instalments pays until the commitment ends. */
function commitmentOf(
  { autoRenewingPlan, productId = '', offerDetails }: SubscriptionItem,
  expiryMs: number,
  { durationOf }: PlayContext,
): { commitmentEndsAtMs?: number } {
  const { pendingCancellation, remainingCommittedPaymentsCount = 0 } =
    autoRenewingPlan?.installmentDetails ?? {};
  const duration = parsePeriod(durationOf(productId, offerDetails?.basePlanId ?? null) ?? '');
  if (pendingCancellation === undefined || !duration) return {};
  return { commitmentEndsAtMs: addPeriods(expiryMs, duration, remainingCommittedPaymentsCount) };
}
