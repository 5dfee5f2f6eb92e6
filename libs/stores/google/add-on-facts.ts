import {
  type AddOnFact,
  type SubscriptionFacts,
  type EndFacts,
  type PeriodFact,
  type Price,
  type Register,
  unknownPrice,
} from '../../engine/index.js';
import { isOfOtherPurchase, orderFacts, orderNumber, paidFor, refundFact } from './order-facts.js';
import { reportedKind, replacementPrice } from './period-terms.js';
import { moneyOf, type Order, type SubscriptionItem, timeOf } from './play-resources.js';
import { type PlayState, stateOf, reportsPaidEnd, weakReportAt } from './subscription-state.js';
import { addOnItems, baseItem, type SubscriptionReport } from './subscription-report.js';

/** The base item's period that add-ons are sold with. */
interface Base {
  key: string;
  period: PeriodFact;
  /** The purchase continues its linked purchase. */
  isContinued: boolean;
}

export interface AddOnFacts {
  addOns: Record<string, Register<AddOnFact>>;
  ends: Record<string, EndFacts>;
  /** Refunds of orders that paid for add-ons only. */
  refunds: SubscriptionFacts['refunds'];
  /** When a failed charge or a pause suspended all items; null: they continue. Absent: only the base item knows. */
  held?: number | null;
  /** Keys of add-ons whose start Google does not report. */
  guessed: string[];
}

const seriesOf = (orderId: string): string => orderId.replace(/\.\.\d+$/, '');

/** A product appears at most once in an order. */
function addOnKey(orderId: string, productId: string): string {
  return `${orderId}+${productId}`;
}

function isSuspended(state: PlayState): boolean {
  return state === 'ON_HOLD' || state === 'PAUSED';
}

/** The cost of an item; zero if the previous purchase paid for it. */
function priceOf(
  item: SubscriptionItem,
  orderId: string,
  order: Order | null,
  report: SubscriptionReport,
  base: Base,
): Price {
  const paid = order && orderFacts(order, item.productId);
  const listed = moneyOf(item.autoRenewingPlan?.recurringPrice);
  const currency = paid?.price?.currency ?? listed?.currency ?? null;
  const isUnknown = order === null && report.purchase.linkedPurchaseToken !== undefined;
  const isPaidElsewhere =
    isOfOtherPurchase(paid, report.token) || (isUnknown && seriesOf(orderId) !== seriesOf(base.key));
  if (!base.isContinued && isPaidElsewhere) return { amountMicros: 0, currency, source: 'store' };
  if (paid?.price) return paid.price;
  const kind = reportedKind(item, paid);
  if (kind === 'trial') return { amountMicros: 0, currency, source: 'store' };
  const replaced = orderNumber(orderId) < 0 ? replacementPrice(item) : undefined;
  if (replaced) return replaced;
  // Until the next renewal of the base item, only part of the list price is charged.
  const isPart = item.offerPhase?.prorationPeriod !== undefined || orderId !== base.key;
  return listed && kind !== 'intro' && !isPart ? { ...listed, source: 'catalog' } : unknownPrice;
}

/** Add-ons found in the orders: those removed since, and earlier payments of the others. */
function ordered(report: SubscriptionReport, base: Base): Pick<AddOnFacts, 'addOns' | 'ends' | 'refunds'> {
  const { token, purchase, orders, atMs } = report;
  const listed = new Map(addOnItems(purchase).map((item) => [item.productId, item]));
  const baseId = baseItem(purchase).productId;
  const facts: Pick<AddOnFacts, 'addOns' | 'ends' | 'refunds'> = { addOns: {}, ends: {}, refunds: {} };
  for (const order of orders) {
    const { orderId = '', purchaseToken = token, lineItems = [] } = order;
    if (purchaseToken !== token && !base.isContinued) continue;
    const { refund } = orderFacts(order);
    const isOfBase = paidFor(order, baseId);
    let isRunning = false;
    for (const { productId = baseId ?? '' } of lineItems) {
      if (productId === baseId || (isOfBase && lineItems.length === 1)) continue;
      const { startMs, endMs, kind, price, planId } = orderFacts(order, productId);
      if (startMs === null || endMs === null) continue;
      const key = addOnKey(orderId, productId);
      const item = listed.get(productId);
      const value: AddOnFact = {
        ...base.period,
        chargeKey: orderId,
        storeProductId: productId,
        planId,
        offerCode: null,
        kind: kind ?? 'normal',
        isRenewal: orderNumber(orderId) >= 0,
        startMs,
        endMs,
        price: price ?? unknownPrice,
        storeTransactionId: orderId,
        renews: item !== undefined,
      };
      facts.addOns[key] = { at: startMs, src: 'api', value };
      const expiryMs = timeOf(item?.expiryTime);
      isRunning ||= expiryMs !== null && expiryMs > atMs;
      // A refund removed the add-on before its end, so access ended then.
      if (item === undefined && refund && endMs > atMs) {
        facts.ends[key] = { expired: { at: refund.atMs, src: 'api', value: refund.atMs } };
      }
    }
    if (refund && !isOfBase) {
      const at = isRunning ? atMs : refund.atMs;
      facts.refunds[orderId] = { at, src: 'api', value: refundFact(refund, !isRunning) };
    }
  }
  return facts;
}

export function addOnFacts(report: SubscriptionReport, base: Base): AddOnFacts {
  const { purchase, orders, atMs } = report;
  const state = stateOf(purchase);
  const facts: AddOnFacts = { ...ordered(report, base), guessed: [] };
  const items = addOnItems(purchase);
  const isPaidEnd = reportsPaidEnd(state);
  if (isPaidEnd && Object.keys(facts.addOns).length + items.length > 0) facts.held = null;
  if (items.length === 0) return facts;
  const isReplaced = purchase.canceledStateContext?.replacementCancellation !== undefined;
  const ends = [baseItem(purchase), ...items].flatMap(({ expiryTime }) => timeOf(expiryTime) ?? []);
  const heldMs = isSuspended(state) ? Math.min(atMs, ...ends) : null;
  const baseEndMs = timeOf(baseItem(purchase).expiryTime) ?? atMs;
  if (heldMs !== null && baseEndMs > atMs) facts.held = heldMs;
  for (const item of items) {
    const { productId = '', latestSuccessfulOrderId: orderId = base.key } = item;
    const key = addOnKey(orderId, productId);
    const found = orders.find((order) => order.orderId === orderId && paidFor(order, productId)) ?? null;
    const paid = found && orderFacts(found, productId);
    const isTogether = orderId === base.key;
    const expiryMs = timeOf(item.expiryTime) ?? atMs;
    const paidEndMs = paid?.endMs ?? (isTogether ? (base.period.endMs ?? expiryMs) : expiryMs);
    const endMs = isPaidEnd ? expiryMs : Math.min(paidEndMs, expiryMs);
    if ((paid?.startMs ?? null) === null) facts.guessed.push(key);
    const startMs = Math.min(paid?.startMs ?? (isTogether ? base.period.startMs : atMs), endMs);
    const isHeldOn = state === 'IN_GRACE_PERIOD' || isSuspended(state);
    const value: AddOnFact = {
      ...base.period,
      chargeKey: orderId,
      storeProductId: productId,
      planId: item.offerDetails?.basePlanId ?? null,
      offerCode: item.signupPromotion?.vanityCode?.promotionCode ?? null,
      kind: reportedKind(item, paid) ?? 'normal',
      isRenewal: orderNumber(orderId) >= 0,
      startMs,
      endMs,
      price: priceOf(item, orderId, found, report, base),
      storeTransactionId: orderId,
      renews:
        (isHeldOn || item.autoRenewingPlan?.autoRenewEnabled === true) &&
        item.deferredItemRemoval === undefined,
    };
    // In other states, the item's expiry time means something else. A report from the period itself is more accurate.
    const beganAtMs = timeOf(purchase.startTime) ?? atMs;
    const weakAtMs = weakReportAt(state, atMs, startMs, base.period.startMs, beganAtMs);
    facts.addOns[key] = isPaidEnd
      ? { at: atMs, src: 'api', value }
      : { at: weakAtMs, src: 'notification_hint', value };
    const register = (end: number | null): Register<number | null> => ({ at: atMs, src: 'api', value: end });
    if (isPaidEnd) facts.ends[key] = { expired: register(null) };
    if (state === 'IN_GRACE_PERIOD') facts.ends[key] = { grace: register(expiryMs) };
    if (heldMs !== null) facts.ends[key] = { expired: register(Math.min(heldMs, expiryMs)) };
    if (state === 'EXPIRED' && !isReplaced) facts.ends[key] = { expired: register(expiryMs) };
  }
  return facts;
}
