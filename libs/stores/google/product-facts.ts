import { noOneTimeFacts, type OneTimeFacts, type Price, unknownPrice } from '../../engine/index.js';
import { alpha2Country } from '../../kernel/index.js';
import { orderFacts } from './order-facts.js';
import { type Order, type ProductItem, type ProductPurchase, timeOf } from './play-resources.js';
import type { PlayContext } from './subscription-report.js';

export interface ProductReport {
  token: string;
  purchase: ProductPurchase;
  order: Order | null;
  /** The product was free, by a promotional code or as a reward. */
  wasGiven: boolean;
  atMs: number;
  context: PlayContext;
}

export function productState({ purchaseStateContext }: ProductPurchase): string {
  return (purchaseStateContext?.purchaseState ?? '').replace('PURCHASE_STATE_', '');
}

/** The key of one of several products bought together. The first has the token itself as its key. */
export function productKey(token: string, { productId = '' }: ProductItem, index: number): string {
  return index === 0 ? token : `${token}:${productId}`;
}

/** The token in the key of any purchase. Google's tokens contain no colon. */
export function tokenOfKey(key: string): string {
  return key.replace(/:.*$/s, '');
}

function refundOf(
  report: ProductReport,
  item: ProductItem,
  quantity: number,
  price: Price,
): OneTimeFacts['refund'] {
  const { purchase, order, atMs } = report;
  const { refundableQuantity } = item.productOfferDetails ?? {};
  const wasCancelled = productState(purchase) === 'CANCELLED';
  // Google omits zeros, so an absent quantity does not mean that some units remain.
  const returned = wasCancelled ? quantity : quantity - (refundableQuantity ?? quantity);
  const refund = order && orderFacts(order, item.productId).refund;
  if (returned <= 0) {
    if (!refund) return null;
    // Only money is returned: the customer keeps the units.
    const amountMicros = refund.amountMicros ?? price.amountMicros ?? 0;
    return { at: atMs, src: 'api', value: { refundedAtMs: refund.atMs, quantity: 0, amountMicros } };
  }
  const isWhole = returned >= quantity;
  const amountMicros = isWhole || price.amountMicros === null ? null : (refund?.amountMicros ?? null);
  const value = { refundedAtMs: refund?.atMs ?? atMs, quantity: returned };
  return { at: atMs, src: 'api', value: amountMicros === null ? value : { ...value, amountMicros } };
}

export function productFacts(report: ProductReport, item: ProductItem): OneTimeFacts {
  const { token, purchase, order, wasGiven, atMs, context } = report;
  const quantity = item.productOfferDetails?.quantity ?? 1;
  const device: Price | null = context.devicePrice && {
    amountMicros: context.devicePrice.amountMicros * quantity,
    currency: context.devicePrice.currency,
    source: 'device',
  };
  const free: Price = { amountMicros: 0, currency: device?.currency ?? null, source: 'store' };
  const price =
    (order && orderFacts(order, item.productId).price) ?? (wasGiven ? free : device) ?? unknownPrice;
  return {
    ...noOneTimeFacts,
    purchase: {
      at: atMs,
      src: 'api',
      value: {
        storeProductId: item.productId ?? '',
        purchasedAtMs: timeOf(purchase.purchaseCompletionTime) ?? atMs,
        expiresAtMs: null,
        ...(item.productOfferDetails?.rentOfferDetails && { isRental: true }),
        price,
        quantity,
        ownership: 'purchased',
        storeTransactionId: purchase.orderId ?? token,
        country: alpha2Country(purchase.regionCode ?? null),
      },
    },
    refund: refundOf(report, item, quantity, price),
  };
}
