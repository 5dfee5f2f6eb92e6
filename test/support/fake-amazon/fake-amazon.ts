import type { ManualClock } from '../../../libs/kernel/index.js';
import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';

const DAY_MS = 86_400_000;

type Receipt = Record<string, unknown> & { receiptId: string };

export interface FakeSku {
  productId: string;
  termSku?: string;
  days?: number;
}

/** Everything that can be bought from Amazon in the tests. */
export const fakeSkus = {
  monthly: { productId: 'pro', termSku: 'pro_monthly', days: 30 },
  yearly: { productId: 'pro', termSku: 'pro_yearly', days: 365 },
  coins: { productId: 'coins' },
  lifetime: { productId: 'lifetime' },
} satisfies Record<string, FakeSku>;

/** An error in Amazon's words. */
function amazonError(status: number, message: string): FakeAnswer {
  return { status, body: { message, status: false } };
}

export const amazonErrors = {
  invalid: amazonError(400, 'Failed to parse receipt Id'),
  gone: amazonError(410, 'The receipt is no longer valid'),
  secret: amazonError(496, 'Invalid developer secret'),
  user: amazonError(497, 'Purchase token/app user mismatch'),
  tooMany: { status: 429, headers: { 'retry-after': '90' } },
  down: { status: 500 },
  unreadable: { status: 200, body: '<html>' },
} satisfies Record<string, FakeAnswer>;

/** A subscription as Amazon leads it. */
export class FakeAmazonSubscription {
  readonly receipt: Receipt;
  private readonly termMs: number;
  /** When it is to renew, or to end. */
  private endMs: number;

  constructor(
    readonly amazon: FakeAmazon,
    readonly userId: string,
    { productId, termSku = '', days = 30 }: FakeSku,
    trialDays?: number,
  ) {
    const nowMs = amazon.clock.nowMs();
    const firstMs = nowMs + (trialDays ?? days) * DAY_MS;
    this.termMs = days * DAY_MS;
    this.endMs = firstMs;
    this.receipt = amazon.add(userId, {
      productId,
      termSku,
      productType: 'SUBSCRIPTION',
      term: `${days} Days`,
      purchaseDate: nowMs,
      renewalDate: firstMs,
      freeTrialEndDate: trialDays === undefined ? null : firstMs,
      autoRenewing: true,
    });
  }

  get id(): string {
    return this.receipt.receiptId;
  }

  renew(): string {
    this.endMs += this.termMs;
    return this.change('SUBSCRIPTION_RENEWED', { renewalDate: this.endMs, gracePeriodEndDate: null });
  }

  setAutoRenew(autoRenewing: boolean): string {
    const renewalDate = autoRenewing ? this.endMs : null;
    return this.change(`SUBSCRIPTION_AUTO_RENEWAL_${autoRenewing ? 'ON' : 'OFF'}`, {
      autoRenewing,
      renewalDate,
    });
  }

  enterGrace(days: number): string {
    const gracePeriodEndDate = this.endMs + days * DAY_MS;
    return this.change('SUBSCRIPTION_IN_GRACE_PERIOD', { gracePeriodEndDate });
  }

  end(cancelReason: number, more: object = {}): string {
    const cancelDate = this.amazon.clock.nowMs();
    const over = {
      autoRenewing: false,
      renewalDate: null,
      gracePeriodEndDate: null,
      cancelDate,
      cancelReason,
    };
    return this.change('SUBSCRIPTION_EXPIRED', over, more);
  }

  change(type: string, changes: object, more: object = {}): string {
    Object.assign(this.receipt, changes);
    return this.amazon.notification(type, this.userId, this.id, more);
  }
}

/** A consumable or an entitlement. */
export interface FakeAmazonPurchase {
  userId: string;
  receipt: Receipt;
}

/** Amazon's receipt service over receipts of its own. */
export class FakeAmazon extends FakeHttp {
  readonly secret = '2:secretOfTheFake/with=signs:';
  readonly packageName = 'com.example.fire';
  private readonly receipts = new Map<string, { receipt: Receipt; userId: string; isSandbox: boolean }>();
  private ids = 0;

  constructor(readonly clock: ManualClock) {
    super();
  }

  newUser(): string {
    return `amzn1.account.${++this.ids}`;
  }

  add(userId: string, facts: object, isSandbox = false): Receipt {
    const receipt: Receipt = {
      autoRenewing: false,
      betaProduct: false,
      cancelDate: null,
      cancelReason: null,
      countryCode: 'US',
      deferredDate: null,
      deferredSku: null,
      freeTrialEndDate: null,
      gracePeriodEndDate: null,
      parentProductId: null,
      quantity: null,
      renewalDate: null,
      term: null,
      termSku: null,
      testTransaction: false,
      // Such ids are not encoded in the addresses of SDKs.
      receiptId: `q1YqVrJ/SSj${++this.ids}==:3:11`,
      ...facts,
    };
    this.receipts.set(receipt.receiptId, { receipt, userId, isSandbox });
    return receipt;
  }

  subscribe(
    sku: FakeSku = fakeSkus.monthly,
    trialDays?: number,
    userId = this.newUser(),
  ): FakeAmazonSubscription {
    return new FakeAmazonSubscription(this, userId, sku, trialDays);
  }

  buy(
    sku: FakeSku,
    productType: 'CONSUMABLE' | 'ENTITLED',
    isSandbox = false,
    userId = this.newUser(),
  ): FakeAmazonPurchase {
    const { productId } = sku;
    const facts = { productId, productType, purchaseDate: this.clock.nowMs(), quantity: 1 };
    return { userId, receipt: this.add(userId, facts, isSandbox) };
  }

  forget(receiptId: string): void {
    const known = this.receipts.get(receiptId);
    if (known) Object.assign(known.receipt, { isGone: true });
  }

  /** The message within SNS. */
  notification(notificationType: string, appUserId: string, receiptId: string, more: object = {}): string {
    return JSON.stringify({
      appPackageName: this.packageName,
      notificationType,
      appUserId,
      receiptId,
      relatedReceipts: {},
      timestamp: this.clock.nowMs(),
      betaProductTransaction: false,
      ...more,
    });
  }

  protected answer({ path }: FakeCall): FakeAnswer {
    const form =
      /^(\/sandbox)?\/version\/1\.0\/verifyReceiptId\/developer\/([^/]+)\/user\/([^/]+)\/receiptId\/([^/]+)$/;
    const [, sandbox, secret = '', userId = '', receiptId = ''] = form.exec(path) ?? [];
    if (decodeURIComponent(secret) !== this.secret) return amazonErrors.secret;
    const known = this.receipts.get(decodeURIComponent(receiptId));
    if (!known || known.isSandbox !== (sandbox !== undefined)) return amazonErrors.invalid;
    if (known.userId !== decodeURIComponent(userId)) return amazonErrors.user;
    return known.receipt.isGone ? amazonErrors.gone : { status: 200, body: known.receipt };
  }
}
