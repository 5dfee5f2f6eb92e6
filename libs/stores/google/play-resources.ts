/** The parts of Google Play Developer API objects that are read. False, zero and empty fields are absent. */

export interface Money {
  currencyCode?: string;
  /** Whole units, as text. */
  units?: string;
  nanos?: number;
}

export interface PriceChange {
  priceChangeMode?: string;
  priceChangeState?: string;
}

export interface SubscriptionItem {
  productId?: string;
  /** RFC 3339. */
  expiryTime?: string;
  latestSuccessfulOrderId?: string;
  autoRenewingPlan?: {
    autoRenewEnabled?: boolean;
    recurringPrice?: Money;
    priceChangeDetails?: PriceChange;
    priceStepUpConsentDetails?: { state?: string };
    installmentDetails?: { remainingCommittedPaymentsCount?: number; pendingCancellation?: object };
  };
  prepaidPlan?: object;
  offerDetails?: { basePlanId?: string; offerId?: string };
  offerPhase?: {
    freeTrial?: object;
    introductoryPrice?: object;
    basePrice?: object;
    prorationPeriod?: { originalOfferPhaseType?: string };
  };
  /** The item that this one replaced, and how its unused time was billed. */
  itemReplacement?: { productId?: string; basePlanId?: string; replacementMode?: string };
  /** Replaces this item when it ends; the replacement is listed too, without expiry or order. */
  deferredItemReplacement?: { productId?: string };
  /** The item will not renew with the others. */
  deferredItemRemoval?: object;
  signupPromotion?: { vanityCode?: { promotionCode?: string } };
}

/** The text that a customer may add to the answer is personal and never read. */
export interface UserCancellation {
  cancelTime?: string;
  cancelSurveyResult?: { reason?: string };
}

/** purchases.subscriptionsv2 */
export interface SubscriptionPurchase {
  subscriptionState?: string;
  startTime?: string;
  regionCode?: string;
  latestOrderId?: string;
  linkedPurchaseToken?: string;
  lineItems?: SubscriptionItem[];
  pausedStateContext?: { autoResumeTime?: string };
  canceledStateContext?: {
    userInitiatedCancellation?: UserCancellation;
    systemInitiatedCancellation?: object;
    developerInitiatedCancellation?: object;
    replacementCancellation?: object;
  };
  acknowledgementState?: string;
  externalAccountIdentifiers?: { obfuscatedExternalAccountId?: string };
  outOfAppPurchaseContext?: {
    expiredPurchaseToken?: string;
    expiredExternalAccountIdentifiers?: { obfuscatedExternalAccountId?: string };
  };
  testPurchase?: object;
  etag?: string;
}

export interface ProductItem {
  productId?: string;
  productOfferDetails?: {
    quantity?: number;
    /** Units that were not refunded. */
    refundableQuantity?: number;
    consumptionState?: string;
    /** Present for a rental; Google does not say how long it lasts. */
    rentOfferDetails?: object;
  };
}

/** purchases.productsv2 */
export interface ProductPurchase {
  productLineItem?: ProductItem[];
  purchaseStateContext?: { purchaseState?: string };
  testPurchaseContext?: object;
  orderId?: string;
  obfuscatedExternalAccountId?: string;
  regionCode?: string;
  purchaseCompletionTime?: string;
  acknowledgementState?: string;
}

export interface OrderRefund {
  eventTime?: string;
  refundDetails?: { total?: Money };
}

/** orders */
export interface Order {
  orderId?: string;
  purchaseToken?: string;
  state?: string;
  createTime?: string;
  total?: Money;
  lineItems?: {
    productId?: string;
    total?: Money;
    subscriptionDetails?: {
      basePlanId?: string;
      offerId?: string;
      offerPhase?: string;
      servicePeriodStartTime?: string;
      servicePeriodEndTime?: string;
    };
    oneTimePurchaseDetails?: { quantity?: number };
  }[];
  orderHistory?: {
    refundEvent?: OrderRefund;
    partialRefundEvents?: { processTime?: string; state?: string; refundDetails?: { total?: Money } }[];
  };
}

/** One entry of purchases.voidedpurchases */
export interface VoidedPurchase {
  purchaseToken?: string;
  orderId?: string;
  /** Epoch ms, as text. */
  voidedTimeMillis?: string;
  voidedReason?: number;
  /** Present only if some of several units were refunded. */
  voidedQuantity?: number;
}

/** Epoch ms of an RFC 3339 time, or null. */
export function timeOf(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : ms;
}

export function moneyOf(money: Money | undefined): { amountMicros: number; currency: string } | null {
  const { currencyCode, units = '0', nanos = 0 } = money ?? {};
  const whole = Number(units);
  if (currencyCode === undefined || !Number.isFinite(whole)) return null;
  return { amountMicros: Math.round(whole * 1_000_000 + nanos / 1_000), currency: currencyCode };
}
