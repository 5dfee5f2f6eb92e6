import {
  type SubscriptionFacts,
  type EndFacts,
  noSubscriptionFacts,
  type PeriodFact,
  type RefundFact,
  type Register,
  unknownPrice,
} from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { addOnFacts } from './add-on-facts.js';
import {
  isOfOtherPurchase,
  orderFacts,
  orderNumber,
  type OrderRefund,
  paidFor,
  refundFact,
} from './order-facts.js';
import { commitmentOf, guessedStart, paidEndOf } from './paid-time.js';
import { kindOf, offerOf, priceOf, wholePrice } from './period-terms.js';
import { timeOf } from './play-resources.js';
import { renewalFact, stateOf, reportsPaidEnd, weakReportAt } from './subscription-state.js';
import { baseItem, deferredItem, latestKeyOf, type SubscriptionReport } from './subscription-report.js';

/** Facts of a subscription, with a list of guesses until they are reconciled with known facts. */
export interface PlaySubscriptionFacts {
  facts: SubscriptionFacts;
  latestKey: string;
  startIsGuess: boolean;
  /** Google does not report the start of the latest period, so it may be the time of the purchase. */
  isStartMissing: boolean;
  guessedAddOns: string[];
}

const END_TOLERANCE_MS = 60_000;

function earlierPeriods(
  report: SubscriptionReport,
  latest: PeriodFact,
  latestKey: string,
): SubscriptionFacts {
  const facts: SubscriptionFacts = { ...noSubscriptionFacts, periods: {}, refunds: {} };
  for (const order of report.orders) {
    const { orderId = '' } = order;
    if (!paidFor(order, latest.storeProductId)) continue;
    const { token, startMs, endMs, kind, price, refund, productId, planId } = orderFacts(
      order,
      latest.storeProductId,
    );
    const isElsewhere = token !== null && token !== report.token;
    if (orderId === latestKey || isElsewhere || startMs === null || endMs === null) continue;
    // A report from the period itself is more accurate: its end may have changed since.
    const value: PeriodFact = {
      ...latest,
      storeProductId: productId ?? latest.storeProductId,
      planId: planId ?? latest.planId,
      kind: kind ?? 'normal',
      isRenewal: orderNumber(orderId) >= 0,
      startMs,
      endMs,
      price: price ?? unknownPrice,
      storeTransactionId: orderId,
    };
    facts.periods[orderId] = { at: startMs, src: 'api', value };
    if (refund) facts.refunds[orderId] = { at: refund.atMs, src: 'api', value: refundFact(refund, true) };
  }
  return facts;
}

/**
 * If the subscription expired normally, the order does not show whether a refund revoked access, so an earlier report
 * wins.
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

/** The terms of a period for which less than its recurring price was charged. */
function proratedTerms(
  { purchase }: SubscriptionReport,
  { storeProductId, planId, quantity, startMs, kind, price }: PeriodFact,
  isFirst: boolean,
): Pick<PeriodFact, 'terms'> {
  const item = baseItem(purchase);
  if (kind !== 'normal' || !(isFirst || item.offerPhase?.prorationPeriod)) return {};
  const whole = wholePrice(item, price, isFirst && purchase.linkedPurchaseToken !== undefined);
  return whole ? { terms: [{ sinceMs: startMs, storeProductId, planId, quantity, ...whole }] } : {};
}

/** `isContinued`: the purchase continues its linked one. */
export function subscriptionFacts(report: SubscriptionReport, isContinued = false): PlaySubscriptionFacts {
  const { token, purchase, atMs, context } = report;
  const item = baseItem(purchase);
  const state = stateOf(purchase);
  const latestKey = latestKeyOf(token, purchase);
  const found = report.orders.find(({ orderId }) => orderId === latestKey);
  const order = found ? orderFacts(found, item.productId) : null;
  const isOfOther = deferredItem(purchase) !== null || isOfOtherPurchase(order, token);
  const isFirst = orderNumber(latestKey) < 0 && (!isContinued || isOfOther);
  const beganAtMs = timeOf(purchase.startTime) ?? atMs;
  const expiryMs = timeOf(item.expiryTime) ?? beganAtMs;
  const isPaidEnd = reportsPaidEnd(state);
  const kind = kindOf(item, order, report);
  const isStartMissing = (order?.startMs ?? null) === null;
  const startsThen = isFirst && !isContinued;
  const startMs =
    order?.startMs ?? (startsThen ? beganAtMs : guessedStart(item, beganAtMs, expiryMs, context));
  const endMs = Math.max(startMs, isPaidEnd ? expiryMs : paidEndOf(report, order, startMs, expiryMs));
  const price = priceOf(item, kind, startsThen, order, isContinued ? null : token, report);
  const period: PeriodFact = {
    storeProductId: item.productId ?? '',
    planId: item.offerDetails?.basePlanId ?? null,
    offerCode: item.signupPromotion?.vanityCode?.promotionCode ?? null,
    ...((kind === 'trial' || kind === 'intro') && offerOf(item)),
    kind,
    isRenewal: !isFirst,
    startMs,
    endMs,
    price,
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: latestKey,
    country: alpha2Country(purchase.regionCode ?? null),
  };
  const latest: PeriodFact = { ...period, ...proratedTerms(report, period, startsThen) };
  const earlier = earlierPeriods(report, period, latestKey);
  const wasCut = state === 'EXPIRED' && expiryMs < (order?.endMs ?? 0) - END_TOLERANCE_MS;
  const register = <T>(value: T): Register<T> => ({ at: atMs, src: 'api', value });
  const replacement = { byStoreKey: null, atMs: expiryMs, ofKey: token };
  const isReplaced =
    state === 'EXPIRED' && purchase.canceledStateContext?.replacementCancellation !== undefined;
  const ends: EndFacts = {
    ...(state === 'EXPIRED' && !isReplaced && { expired: register<number | null>(expiryMs) }),
    ...(state === 'IN_GRACE_PERIOD' && { grace: register<number | null>(expiryMs) }),
    // On hold, the expiry time is the end of grace, if there was any.
    ...(state === 'ON_HOLD' &&
      expiryMs > endMs + END_TOLERANCE_MS && { grace: register<number | null>(expiryMs) }),
  };
  const bundle = addOnFacts(report, { key: latestKey, period, isContinued });
  if (bundle.held !== undefined) ends.expired ??= register(bundle.held);
  const ofItems = { ...bundle.ends, ...(Object.keys(ends).length > 0 && { [latestKey]: ends }) };
  const facts: SubscriptionFacts = {
    ...earlier,
    // In other states, the expiry time means something else. A report from the period itself is more accurate.
    periods: {
      ...earlier.periods,
      [latestKey]: isPaidEnd
        ? register(latest)
        : { at: weakReportAt(state, atMs, startMs, beganAtMs), src: 'notification_hint', value: latest },
    },
    refunds: {
      ...bundle.refunds,
      ...earlier.refunds,
      ...(order?.refund && { [latestKey]: latestRefund(order.refund, state === 'EXPIRED', wasCut, atMs) }),
    },
    // The successor reports what follows. It may be the same subscription.
    renewal: isReplaced
      ? null
      : register({ ...renewalFact(purchase, item, latestKey), ...commitmentOf(item, expiryMs, context) }),
    replaced: isReplaced ? { at: expiryMs, src: 'api', value: replacement } : null,
    ...(isContinued && {
      continuations: { [token]: { at: beganAtMs, src: 'api', value: { sinceMs: beganAtMs } } },
    }),
    ...(Object.keys(ofItems).length > 0 && { ends: ofItems }),
    ...(Object.keys(bundle.addOns).length > 0 && { addOns: bundle.addOns }),
  };
  const startIsGuess = isStartMissing && !startsThen;
  return { facts, latestKey, startIsGuess, isStartMissing, guessedAddOns: bundle.guessed };
}
