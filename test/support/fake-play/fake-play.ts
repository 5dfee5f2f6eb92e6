import { randomBytes } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import type {
  Order,
  ProductPurchase,
  SubscriptionItem,
  SubscriptionPurchase,
  VoidedPurchase,
} from '../../../libs/stores/google/play-resources.js';
import { type FakePlayProduct, microsOf, money, rfc3339 } from './google-values.js';
import { FakePlaySubscription, type PlaySubscriptionOptions } from './fake-play-subscription.js';

const DAY_MS = 86_400_000;

/** Everything that can be bought in the apps of the tests. A month is 30 days here. */
export const playProducts = {
  monthly: { id: 'pro', basePlanId: 'monthly', priceMicros: 9_990_000, periodMs: 30 * DAY_MS },
  yearly: { id: 'pro', basePlanId: 'yearly', priceMicros: 79_990_000, periodMs: 365 * DAY_MS },
  basic: { id: 'basic', basePlanId: 'monthly', priceMicros: 4_990_000, periodMs: 30 * DAY_MS },
  plus: { id: 'plus', basePlanId: 'monthly', priceMicros: 12_990_000, periodMs: 30 * DAY_MS },
  hifi: { id: 'hifi', basePlanId: 'monthly', priceMicros: 3_000_000, periodMs: 30 * DAY_MS },
  podcasts: { id: 'podcasts', basePlanId: 'monthly', priceMicros: 1_500_000, periodMs: 30 * DAY_MS },
  coins: { id: 'coins_100', priceMicros: 990_000 },
  lifetime: { id: 'pro_lifetime', priceMicros: 199_000_000 },
} satisfies Record<string, FakePlayProduct>;

/** A one-time purchase. */
export interface FakePlayPurchase {
  token: string;
  purchase: ProductPurchase;
}

/** A chargeback that Google asks about. The first answer decides. */
export interface FakeReview {
  orderId: string;
  answer: Record<string, unknown> | null;
}

/** A Google Play of its own: purchases, orders and what was voided, on the clock of the test. */
export class FakePlay {
  readonly subscriptions = new Map<string, FakePlaySubscription>();
  readonly products = new Map<string, ProductPurchase>();
  readonly orders = new Map<string, Order>();
  readonly voided: VoidedPurchase[] = [];
  /** The order in which the items of a subscription are listed, which Google does not promise. */
  listed: (items: SubscriptionItem[]) => SubscriptionItem[] = (items) => items;
  /** Open and answered reviews of chargebacks, by token. */
  readonly reviews = new Map<string, FakeReview>();
  private count = 0;

  constructor(
    readonly clock: ManualClock,
    readonly packageName: string,
  ) {}

  get nowMs(): number {
    return this.clock.nowMs();
  }

  newToken(): string {
    return `token-${++this.count}.${randomBytes(40).toString('base64url')}`;
  }

  newOrderId(): string {
    return `GPA.${1_000 + ++this.count}-0000-0000-00001`;
  }

  subscribe(product: FakePlayProduct, options: PlaySubscriptionOptions = {}): FakePlaySubscription {
    const subscription = new FakePlaySubscription(this, product, options);
    this.subscriptions.set(subscription.token, subscription);
    return subscription;
  }

  buy(
    product: FakePlayProduct,
    options: {
      quantity?: number;
      test?: boolean;
      pending?: boolean;
      account?: string;
      region?: string;
      isRental?: boolean;
      /** Bought with a promotional code, without an order. */
      isGiven?: boolean;
      /** Products of the same order, under the same token. */
      together?: FakePlayProduct[];
    } = {},
  ): FakePlayPurchase {
    const { quantity = 1, together = [] } = options;
    const sold = [product, ...together];
    const token = this.newToken();
    const orderId = this.newOrderId();
    const purchase: ProductPurchase = {
      productLineItem: sold.map(({ id }) => ({
        productId: id,
        productOfferDetails: {
          quantity,
          refundableQuantity: quantity,
          ...(options.isRental && { rentOfferDetails: {} }),
          consumptionState: 'CONSUMPTION_STATE_YET_TO_BE_CONSUMED',
        },
      })),
      purchaseStateContext: { purchaseState: options.pending ? 'PENDING' : 'PURCHASED' },
      ...(options.test && { testPurchaseContext: { fopType: 'TEST' } }),
      ...(options.account !== undefined && { obfuscatedExternalAccountId: options.account }),
      ...(!options.isGiven && { orderId }),
      regionCode: options.region ?? 'DE',
      ...(!options.pending && { purchaseCompletionTime: rfc3339(this.nowMs) }),
      acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
    };
    this.products.set(token, purchase);
    if (options.isGiven) return { token, purchase };
    this.orders.set(orderId, {
      orderId,
      purchaseToken: token,
      state: options.pending ? 'PENDING' : 'PROCESSED',
      createTime: rfc3339(this.nowMs),
      total: money(sold.reduce((sum, { priceMicros }) => sum + priceMicros * quantity, 0)),
      lineItems: sold.map(({ id, priceMicros }) => ({ productId: id, total: money(priceMicros * quantity) })),
    });
    return { token, purchase };
  }

  /** A purchase that was pending is paid. */
  payProduct({ purchase }: FakePlayPurchase): void {
    purchase.purchaseStateContext = { purchaseState: 'PURCHASED' };
    purchase.purchaseCompletionTime = rfc3339(this.nowMs);
    const order = this.orders.get(purchase.orderId ?? '');
    if (order) order.state = 'PROCESSED';
  }

  /** A purchase that was pending never will be paid. */
  dropProduct({ purchase }: FakePlayPurchase): void {
    purchase.purchaseStateContext = { purchaseState: 'CANCELLED' };
    const order = this.orders.get(purchase.orderId ?? '');
    if (order) order.state = 'CANCELED';
  }

  /** Some pieces of a purchase given back, or all. */
  refundProduct({ token, purchase }: FakePlayPurchase, pieces?: number): void {
    const [item] = purchase.productLineItem ?? [];
    const details = item?.productOfferDetails;
    const order = this.orders.get(purchase.orderId ?? '');
    const quantity = details?.quantity ?? 1;
    const isPartial = pieces !== undefined && pieces < quantity;
    if (details) details.refundableQuantity = quantity - (pieces ?? quantity);
    if (!isPartial) purchase.purchaseStateContext = { purchaseState: 'CANCELLED' };
    if (order) this.refundOrder(order, isPartial ? (pieces ?? 1) / quantity : 1);
    this.void(token, purchase.orderId ?? '', isPartial ? pieces : undefined);
  }

  /** An order given back, wholly or a share of it. */
  refundOrder(order: Order, share = 1): void {
    const back = money(Math.round(microsOf(order.total) * share));
    if (share === 1) {
      order.state = 'REFUNDED';
      order.orderHistory = {
        refundEvent: { eventTime: rfc3339(this.nowMs), refundDetails: { total: back } },
      };
      return;
    }
    order.state = 'PARTIALLY_REFUNDED';
    const event = { processTime: rfc3339(this.nowMs), state: 'PROCESSED', refundDetails: { total: back } };
    order.orderHistory = { partialRefundEvents: [event] };
  }

  /** A customer disputed the payment of an order. Returns the notification with which Google asks about it. */
  askReview(orderId: string, more: object = {}): object {
    const pendingRefundToken = `refund-${randomBytes(40).toString('base64url')}`;
    this.reviews.set(pendingRefundToken, { orderId, answer: null });
    const notification = { version: '1.0', pendingRefundToken, orderId, refundReason: 7, ...more };
    return { pendingRefundReviewNotification: notification };
  }

  /** The bank took the payment of an order back. */
  chargeBack(orderId: string): void {
    const order = this.orders.get(orderId);
    if (!order) throw new Error(`There is no order ${orderId}.`);
    this.refundOrder(order);
    this.void(order.purchaseToken ?? '', orderId, undefined, 7);
  }

  void(purchaseToken: string, orderId: string, voidedQuantity?: number, voidedReason?: number): void {
    this.voided.push({
      purchaseToken,
      orderId,
      voidedTimeMillis: String(this.nowMs),
      ...(voidedQuantity !== undefined && { voidedQuantity }),
      ...(voidedReason !== undefined && { voidedReason }),
    });
  }

  /** Google's answer about a subscription; null if the token is unknown. */
  shown(token: string): SubscriptionPurchase | 'gone' | null {
    return this.subscriptions.get(token)?.shown ?? null;
  }
}
