import {
  type PeriodFact,
  type PeriodKind,
  type PeriodTerms,
  type Price,
  unknownPrice,
} from '../../engine/index.js';
import { isOfOtherPurchase, type OrderFacts, orderNumber } from './order-facts.js';
import { moneyOf, type SubscriptionItem } from './play-resources.js';
import { latestKeyOf, type SubscriptionReport } from './subscription-report.js';

/** The type of period according to Google; null if not reported. */
export function reportedKind(item: SubscriptionItem, order: OrderFacts | null): PeriodKind | null {
  if (item.prepaidPlan !== undefined) return 'prepaid';
  const { offerPhase } = item;
  if (offerPhase?.freeTrial) return 'trial';
  if (offerPhase?.introductoryPrice) return 'intro';
  if (offerPhase?.basePrice) return 'normal';
  const before = offerPhase?.prorationPeriod?.originalOfferPhaseType;
  if (before === 'FREE_TRIAL') return 'trial';
  if (before === 'INTRODUCTORY') return 'intro';
  return order?.kind ?? null;
}

export function kindOf(
  item: SubscriptionItem,
  order: OrderFacts | null,
  report: SubscriptionReport,
): PeriodKind {
  const kind = reportedKind(item, order);
  if (kind !== null) return kind;
  const isOffer =
    item.offerDetails?.offerId !== undefined && orderNumber(latestKeyOf(report.token, report.purchase)) < 0;
  return isOffer && report.context.devicePrice?.amountMicros === 0 ? 'trial' : 'normal';
}

/** The offer of a period. Google names offers, but not their type. */
export function offerOf({ offerDetails, signupPromotion }: SubscriptionItem): Pick<PeriodFact, 'offer'> {
  const code = signupPromotion?.vanityCode?.promotionCode;
  if (code !== undefined) return { offer: { type: 'offer_code', id: code } };
  const id = offerDetails?.offerId;
  return id === undefined ? {} : { offer: { type: 'introductory_offer', id } };
}

const freeReplacements: readonly unknown[] = ['WITHOUT_PRORATION', 'WITH_TIME_PRORATION'];
/** A deferred replacement is charged when it starts. */
const fullReplacements: readonly unknown[] = ['CHARGE_FULL_PRICE', 'DEFERRED'];

/**
 * The price of the first charge after a replacement whose order cannot be read: the list price if the whole price was
 * charged. An order read later replaces it. Undefined if the item replaced none. `isLinked`: the item belongs to a
 * purchase that replaced another one, even if Google does not report how. A prepaid top-up is paid in full.
 */
export function replacementPrice(
  { itemReplacement, offerPhase, autoRenewingPlan, prepaidPlan }: SubscriptionItem,
  isLinked = false,
): Price | undefined {
  const isReplacing = itemReplacement !== undefined || (isLinked && prepaidPlan === undefined);
  if (!isReplacing && offerPhase?.prorationPeriod === undefined) return undefined;
  const listed = moneyOf(autoRenewingPlan?.recurringPrice);
  const mode = itemReplacement?.replacementMode;
  if (listed && fullReplacements.includes(mode)) return { ...listed, source: 'catalog' };
  return listed && freeReplacements.includes(mode)
    ? { ...listed, amountMicros: 0, source: 'catalog' }
    : unknownPrice;
}

/**
 * The price of a whole period, if less was charged: after a replacement that is free or prorated, Google charges the
 * recurring price only at the next renewal. Null if `charged` is the price of a whole period, or cannot be compared.
 */
export function wholePrice(
  { itemReplacement, offerPhase, autoRenewingPlan, prepaidPlan }: SubscriptionItem,
  charged: Price,
  isLinked = false,
): Pick<PeriodTerms, 'valueMicros' | 'currency'> | null {
  const listed = moneyOf(autoRenewingPlan?.recurringPrice);
  if (!listed || fullReplacements.includes(itemReplacement?.replacementMode)) return null;
  const { amountMicros, currency } = charged;
  const isReplacing = itemReplacement !== undefined || offerPhase?.prorationPeriod !== undefined;
  const isUnread = isLinked && prepaidPlan === undefined && amountMicros === null;
  const isComparable = currency === null || currency === listed.currency;
  const isLess = amountMicros === null || amountMicros < listed.amountMicros;
  if (!(isReplacing || isUnread) || !isComparable || !isLess) return null;
  return { valueMicros: listed.amountMicros, ...(currency === null && { currency: listed.currency }) };
}

/** The price of the latest period. `token`: a payment of another purchase counts as zero; null: it counts in full. */
export function priceOf(
  item: SubscriptionItem,
  kind: PeriodKind,
  isFirst: boolean,
  order: OrderFacts | null,
  token: string | null,
  { purchase, context }: SubscriptionReport,
): Price {
  const isPaidElsewhere = token !== null && isOfOtherPurchase(order, token);
  if (order?.price) return isPaidElsewhere ? { ...order.price, amountMicros: 0 } : order.price;
  const listed = moneyOf(item.autoRenewingPlan?.recurringPrice);
  if (kind === 'trial') {
    return {
      amountMicros: 0,
      currency: listed?.currency ?? context.devicePrice?.currency ?? null,
      source: 'store',
    };
  }
  const isLinked = isFirst && purchase.linkedPurchaseToken !== undefined;
  const replaced = isFirst || item.offerPhase?.prorationPeriod ? replacementPrice(item, isLinked) : undefined;
  if (replaced) return replaced;
  if (isFirst && context.devicePrice) return { ...context.devicePrice, source: 'device' };
  // The list price applies only without an offer.
  if (listed && kind === 'normal') return { ...listed, source: 'catalog' };
  return unknownPrice;
}
