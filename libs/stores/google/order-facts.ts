import type { PeriodKind, Price, RefundFact } from '../../engine/index.js';
import { moneyOf, type Order, timeOf } from './play-resources.js';
import { isKnownRefundState } from './unknown-in-answers.js';

const ORDER_SUFFIX = /\.\.(\d+)$/;
/** Maximum number of earlier payments read with the latest. */
const MAX_HISTORY = 100;

export interface OrderFacts {
  /** The purchase that the order paid for. */
  token: string | null;
  startMs: number | null;
  endMs: number | null;
  kind: PeriodKind | null;
  price: Price | null;
  refund: OrderRefund | null;
  productId: string | null;
  planId: string | null;
}

export interface OrderRefund {
  atMs: number;
  isWhole: boolean;
  /** Refunded micros; null if Google does not report them. */
  amountMicros: number | null;
}

const phases: Record<string, PeriodKind> = {
  FREE_TRIAL: 'trial',
  INTRODUCTORY: 'intro',
  BASE: 'normal',
};

/** Returns the payment's number: `GPA.1..4` is the sixth payment of `GPA.1`. The first is -1. */
export function orderNumber(orderId: string): number {
  const match = ORDER_SUFFIX.exec(orderId);
  return match ? Number(match[1]) : -1;
}

/** Returns order ids, newest first. */
export function ordersUpTo(orderId: string): string[] {
  const base = orderId.replace(ORDER_SUFFIX, '');
  const last = orderNumber(orderId);
  const ids: string[] = [];
  for (let number = last; number >= -1 && ids.length < MAX_HISTORY; number--) {
    ids.push(number === -1 ? base : `${base}..${number}`);
  }
  return ids;
}

function refundIn({ state, orderHistory, total }: Order): OrderRefund | null {
  if (state === 'REFUNDED') {
    const { eventTime, refundDetails } = orderHistory?.refundEvent ?? {};
    const atMs = timeOf(eventTime);
    const back = moneyOf(refundDetails?.total ?? total);
    return atMs === null ? null : { atMs, isWhole: true, amountMicros: back?.amountMicros ?? null };
  }
  const parts = (orderHistory?.partialRefundEvents ?? []).filter(
    ({ state: refundState }) => refundState !== 'PENDING' && isKnownRefundState(refundState),
  );
  const times = parts.flatMap(({ processTime }) => timeOf(processTime) ?? []);
  if (state !== 'PARTIALLY_REFUNDED' || times.length === 0) return null;
  const amounts = parts.map(({ refundDetails }) => moneyOf(refundDetails?.total)?.amountMicros ?? 0);
  const amountMicros = amounts.reduce((sum, amount) => sum + amount, 0);
  return { atMs: Math.max(...times), isWhole: false, amountMicros };
}

/** `productId` selects a product if the order has several. */
export function orderFacts(order: Order, productId?: string): OrderFacts {
  const items = order.lineItems ?? [];
  const item = items.find((candidate) => candidate.productId === productId) ?? items[0];
  const details = item?.subscriptionDetails;
  const money = moneyOf(items.length > 1 ? item?.total : order.total);
  return {
    token: order.purchaseToken ?? null,
    startMs: timeOf(details?.servicePeriodStartTime),
    endMs: timeOf(details?.servicePeriodEndTime),
    kind: phases[details?.offerPhase ?? ''] ?? null,
    price: money && { ...money, source: 'order' },
    refund: refundIn(order),
    productId: item?.productId ?? null,
    planId: details?.basePlanId ?? null,
  };
}

/** An order that names no product may have paid for any product. */
export function paidFor({ lineItems = [] }: Order, productId: string | undefined): boolean {
  const isNamed = lineItems.length > 0 && lineItems.every((item) => item.productId !== undefined);
  return !isNamed || lineItems.some((item) => item.productId === productId);
}

export function isOfOtherPurchase(order: Pick<OrderFacts, 'token'> | null, token: string): boolean {
  return order !== null && order.token !== null && order.token !== token;
}

/** A refund that leaves access unchanged only returns money. */
export function refundFact(refund: OrderRefund, endsAccess: boolean): RefundFact {
  const { atMs, isWhole, amountMicros } = refund;
  const kind = isWhole && endsAccess ? 'full' : 'partial';
  return { revokedAtMs: atMs, kind, amountMicros: kind === 'full' ? null : amountMicros };
}
