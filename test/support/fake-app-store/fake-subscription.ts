import type { FakeAppStore, FakeProduct } from './fake-app-store.js';

export type Environment = 'Production' | 'Sandbox';
type Payload = Record<string, unknown>;

/** A notification as it is posted. */
export interface FakeNotification {
  type: string;
  subtype: string | null;
  uuid: string;
  /** The body: `{"signedPayload":"..."}`. */
  body: string;
}

/** One account of the App Store, in one environment. */
export interface FakeAccount {
  environment: Environment;
  appTransactionId: string;
  appAccountToken?: string;
  storefront: string;
  currency: string;
  isFamilyMember?: boolean;
  /** Has a seat that someone else pays for. */
  isAssigned?: boolean;
}

/** Seats at one price, in milliunits. */
export interface FakeTier {
  price: number;
  quantity: number;
}

export interface FakeTerms {
  trial?: boolean;
  intro?: boolean;
  /** Sold with seats at these prices. */
  tiers?: FakeTier[];
  /** A member of a group can have the original id of its buyer. */
  originalTransactionId?: string;
  /** The subscription that this one takes over, when a customer changes to a bundle or back. */
  previous?: FakeSubscription;
  bundleProductId?: string;
}

function seatsOf(tiers: FakeTier[]): Payload {
  const quantity = tiers.reduce((sum, tier) => sum + tier.quantity, 0);
  const total = tiers.reduce((sum, tier) => sum + tier.price * tier.quantity, 0);
  return {
    quantity,
    price: Math.round(total / quantity),
    multiSeatInfo: { priceTiers: tiers, invitationManagement: 'APPLE' },
  };
}

const DAY_MS = 86_400_000;

/** One subscription of an account, as the App Store would lead it. Each step gives the notification of it. */
export class FakeSubscription {
  readonly transactions: Payload[] = [];
  readonly originalTransactionId: string;
  /** Fields of the renewal information that replace those of the subscription's state. */
  renewalChanges: Payload = {};
  private autoRenew = true;
  private nextProduct: FakeProduct;
  private product: FakeProduct;
  private inRetry = false;
  private graceUntilMs: number | null = null;
  private expirationIntent: number | null = null;
  private priceIncrease: number | null = null;
  private tiers: FakeTier[] | null;
  private nextTiers: FakeTier[] | null = null;

  constructor(
    private readonly store: FakeAppStore,
    readonly account: FakeAccount,
    product: FakeProduct,
    private readonly terms: FakeTerms = {},
  ) {
    this.product = product;
    this.nextProduct = product;
    this.tiers = terms.tiers ?? null;
    this.originalTransactionId = terms.originalTransactionId ?? store.newTransactionId();
    const id =
      terms.originalTransactionId === undefined ? this.originalTransactionId : store.newTransactionId();
    this.addPeriod(product, this.nowMs, 'PURCHASE', terms, id);
  }

  get latest(): Payload {
    return this.transactions.at(-1) as Payload;
  }

  get status(): number {
    if (this.latest.revocationDate !== undefined) return 5;
    if (this.inRetry) return this.graceUntilMs !== null && this.graceUntilMs > this.nowMs ? 4 : 3;
    return Number(this.latest.expiresDate) > this.nowMs ? 1 : 2;
  }

  /** The latest transaction, or another, signed now. */
  signed(transaction: Payload = this.latest): string {
    return this.store.signer.sign({ ...transaction, signedDate: this.nowMs });
  }

  signedRenewal(): string {
    return this.store.signer.sign(this.renewalInfo());
  }

  renewalInfo(): Payload {
    return {
      originalTransactionId: this.originalTransactionId,
      autoRenewProductId: this.nextProduct.id,
      productId: this.product.id,
      autoRenewStatus: this.autoRenew ? 1 : 0,
      environment: this.account.environment,
      signedDate: this.nowMs,
      recentSubscriptionStartDate: this.transactions[0]?.purchaseDate,
      renewalDate: this.latest.expiresDate,
      appTransactionId: this.account.appTransactionId,
      ...(this.inRetry && { isInBillingRetryPeriod: true }),
      ...(this.graceUntilMs !== null && { gracePeriodExpiresDate: this.graceUntilMs }),
      ...(this.expirationIntent !== null && { expirationIntent: this.expirationIntent }),
      ...(this.priceIncrease !== null && { priceIncreaseStatus: this.priceIncrease }),
      ...(this.nextTiers !== null && {
        currency: this.account.currency,
        renewalQuantity: seatsOf(this.nextTiers).quantity,
        renewalPrice: seatsOf(this.nextTiers).price,
        multiSeatInfo: { renewalPriceTiers: this.nextTiers },
      }),
      ...this.renewalChanges,
    };
  }

  /** Seats from the next period on. */
  renewWith(tiers: FakeTier[]): FakeNotification {
    this.nextTiers = tiers;
    return this.notification('DID_CHANGE_RENEWAL_PREF', 'DECREASE_QUANTITY');
  }

  /** Seats for the rest of the period: a transaction of their own. */
  addSeats(tiers: FakeTier[]): FakeNotification {
    const { expiresDate } = this.latest;
    const reason = { additionalTransactionReason: 'SEAT_ADDITION' };
    for (const transaction of this.transactions) {
      if (transaction.expiresDate === expiresDate) Object.assign(transaction, reason);
    }
    this.transactions.push({
      ...this.latest,
      revocationDate: undefined,
      transactionId: this.store.newTransactionId(),
      webOrderLineItemId: this.store.newTransactionId(),
      purchaseDate: this.nowMs,
      transactionReason: 'PURCHASE',
      ...seatsOf(tiers),
      ...reason,
    });
    return this.notification('DID_CHANGE_RENEWAL_PREF', 'INCREASE_QUANTITY');
  }

  /** The number of revoked seats in total. */
  revokeSeats(revokedSeatQuantity: number, transaction: Payload = this.latest): FakeNotification {
    transaction.multiSeatInfo = { ...(transaction.multiSeatInfo as Payload), revokedSeatQuantity };
    return this.notification('REFUND', 'SEATS', transaction);
  }

  subscribed(): FakeNotification {
    return this.notification('SUBSCRIBED', 'INITIAL_BUY');
  }

  /** Charges for the next period: at the end of the running one, or when access was lost, now. */
  renew(): FakeNotification {
    const wasInTrouble = this.inRetry;
    const wasLost = this.status === 3;
    this.clearTrouble();
    this.product = this.nextProduct;
    this.tiers = this.nextTiers ?? this.tiers;
    this.addPeriod(
      this.product,
      Math.max(Number(this.latest.expiresDate), wasLost ? this.nowMs : 0),
      'RENEWAL',
    );
    return this.notification('DID_RENEW', wasInTrouble ? 'BILLING_RECOVERY' : null);
  }

  resubscribe(product: FakeProduct = this.product): FakeNotification {
    this.clearTrouble();
    this.autoRenew = true;
    this.product = product;
    this.nextProduct = product;
    this.addPeriod(product, this.nowMs, 'PURCHASE');
    return this.notification('SUBSCRIBED', 'RESUBSCRIBE');
  }

  cancel(): FakeNotification {
    this.autoRenew = false;
    return this.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED');
  }

  uncancel(): FakeNotification {
    this.autoRenew = true;
    return this.notification('DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED');
  }

  failToRenew(graceDays = 0): FakeNotification {
    this.inRetry = true;
    this.expirationIntent = 2;
    if (graceDays > 0) this.graceUntilMs = Number(this.latest.expiresDate) + graceDays * DAY_MS;
    return this.notification('DID_FAIL_TO_RENEW', graceDays > 0 ? 'GRACE_PERIOD' : null);
  }

  endGrace(): FakeNotification {
    return this.notification('GRACE_PERIOD_EXPIRED', null);
  }

  expire(
    subtype: 'VOLUNTARY' | 'BILLING_RETRY' | 'PRICE_INCREASE' | 'PRODUCT_NOT_FOR_SALE',
  ): FakeNotification {
    this.inRetry = false;
    this.autoRenew = false;
    this.expirationIntent = { VOLUNTARY: 1, BILLING_RETRY: 2, PRICE_INCREASE: 3, PRODUCT_NOT_FOR_SALE: 4 }[
      subtype
    ];
    return this.notification('EXPIRED', subtype);
  }

  refund(transaction: Payload = this.latest, more: Payload = {}): FakeNotification {
    Object.assign(transaction, { revocationDate: this.nowMs, revocationReason: 0, ...more });
    return this.notification('REFUND', null, transaction);
  }

  reverseRefund(transaction: Payload = this.latest): FakeNotification {
    delete transaction.revocationDate;
    delete transaction.revocationReason;
    return this.notification('REFUND_REVERSED', null, transaction);
  }

  declineRefund(transaction: Payload = this.latest): FakeNotification {
    return this.notification('REFUND_DECLINED', null, transaction);
  }

  askConsumption(transaction: Payload = this.latest, reason?: string): FakeNotification {
    return this.notification('CONSUMPTION_REQUEST', null, transaction, {
      ...(reason !== undefined && { consumptionRequestReason: reason }),
    });
  }

  revokeFamily(): FakeNotification {
    Object.assign(this.latest, { revocationDate: this.nowMs, revocationType: 'FAMILY_REVOKE' });
    return this.notification('REVOKE', null);
  }

  /** The family shares again what it took away; mostly the App Store gives it another transaction id. */
  shareAgain({ isSameId = false } = {}): FakeNotification {
    const shared = { ...this.latest };
    delete shared.revocationDate;
    delete shared.revocationType;
    if (isSameId) this.transactions.pop();
    const transactionId = isSameId ? shared.transactionId : this.store.newTransactionId();
    this.transactions.push({ ...shared, transactionId });
    return this.notification('SUBSCRIBED', 'RESUBSCRIBE');
  }

  /** At once, for the rest of the running period. */
  upgrade(product: FakeProduct): FakeNotification {
    this.latest.isUpgraded = true;
    this.product = product;
    this.nextProduct = product;
    this.addPeriod(product, this.nowMs, 'PURCHASE');
    return this.notification('DID_CHANGE_RENEWAL_PREF', 'UPGRADE');
  }

  /** Applies from the next period. */
  downgrade(product: FakeProduct): FakeNotification {
    this.nextProduct = product;
    return this.notification('DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE');
  }

  keepProduct(): FakeNotification {
    this.nextProduct = this.product;
    return this.notification('DID_CHANGE_RENEWAL_PREF', null);
  }

  extend(days: number): FakeNotification {
    this.latest.expiresDate = Number(this.latest.expiresDate) + days * DAY_MS;
    return this.notification('RENEWAL_EXTENDED', null);
  }

  askForConsent(): FakeNotification {
    this.priceIncrease = 0;
    return this.notification('PRICE_INCREASE', 'PENDING');
  }

  consent(): FakeNotification {
    this.priceIncrease = 1;
    return this.notification('PRICE_INCREASE', 'ACCEPTED');
  }

  /** `more`: further fields beside the signed data. */
  notification(
    type: string,
    subtype: string | null,
    transaction: Payload = this.latest,
    more: Payload = {},
  ): FakeNotification {
    const data = {
      bundleId: this.store.bundleId,
      appAppleId: this.store.appAppleId,
      environment: this.account.environment,
      status: this.status,
      signedTransactionInfo: this.signed(transaction),
      signedRenewalInfo: this.signedRenewal(),
      ...more,
    };
    return this.store.notification(type, subtype, { data });
  }

  private get nowMs(): number {
    return this.store.clock.nowMs();
  }

  private clearTrouble(): void {
    this.inRetry = false;
    this.graceUntilMs = null;
    this.expirationIntent = null;
  }

  private addPeriod(
    product: FakeProduct,
    startMs: number,
    reason: string,
    { trial = false, intro = false }: { trial?: boolean; intro?: boolean } = {},
    transactionId = this.store.newTransactionId(),
  ): void {
    const { account, store } = this;
    this.transactions.push({
      transactionId,
      originalTransactionId: this.originalTransactionId,
      webOrderLineItemId: store.newTransactionId(),
      bundleId: store.bundleId,
      productId: product.id,
      subscriptionGroupIdentifier: '21000001',
      purchaseDate: startMs,
      originalPurchaseDate: this.transactions[0]?.purchaseDate ?? startMs,
      expiresDate: startMs + (trial ? 7 * DAY_MS : (product.durationMs ?? 30 * DAY_MS)),
      quantity: 1,
      type: 'Auto-Renewable Subscription',
      inAppOwnershipType: account.isAssigned
        ? 'ASSIGNED'
        : account.isFamilyMember
          ? 'FAMILY_SHARED'
          : 'PURCHASED',
      environment: account.environment,
      transactionReason: reason,
      storefront: account.storefront,
      storefrontId: '143441',
      price: trial ? 0 : intro ? (product.introMilli ?? 990) : product.priceMilli,
      currency: account.currency,
      appTransactionId: account.appTransactionId,
      ...(account.appAccountToken !== undefined && { appAccountToken: account.appAccountToken }),
      ...(trial && { offerType: 1, offerDiscountType: 'FREE_TRIAL' }),
      ...(intro && { offerType: 1, offerDiscountType: 'PAY_UP_FRONT' }),
      ...(this.tiers && seatsOf(this.tiers)),
      ...(this.terms.previous && {
        previousOriginalTransactionId: this.terms.previous.originalTransactionId,
      }),
      ...(this.terms.bundleProductId !== undefined && { bundleProductId: this.terms.bundleProductId }),
    });
  }
}
