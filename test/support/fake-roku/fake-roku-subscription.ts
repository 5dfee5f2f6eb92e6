import { randomBytes } from 'node:crypto';
import type { FakeRoku, FakeRokuAccount, FakeRokuProduct } from './fake-roku.js';
import { rokuDate } from './roku-date.js';

const DAY_MS = 86_400_000;
const GRACE_MS = 3 * DAY_MS;
const HOLD_MS = 57 * DAY_MS;

export interface SubscribeOptions {
  trialDays?: number;
  customerId?: string;
  channelId?: string;
  /** Test users pay nothing. */
  isTest?: boolean;
  /** The developer who sold it. */
  account?: FakeRokuAccount;
  partnerReferenceId?: string;
  replaces?: FakeRokuSubscription;
  change?: 'UPGRADE' | 'DOWNGRADE';
}

interface Transaction {
  id: string;
  startMs: number;
  total: number;
  product: FakeRokuProduct;
  /** Says so of itself alone. */
  status?: string;
}

/** The message of a push notification. */
export type RokuMessage = Record<string, unknown>;

/** A subscription as Roku leads it: every transaction of it shows the same expiration. */
export class FakeRokuSubscription {
  readonly customerId: string;
  readonly transactions: Transaction[] = [];
  expirationMs: number;
  isCancelled = false;
  /** After a trial, a failed charge has no grace. */
  private isTrial: boolean;
  /** Access that was cut, whatever the dates say. */
  private isShut = false;
  private status: string;
  private anchorMs: number;
  /** Periods since then. */
  private paid = 0;
  private readonly account: FakeRokuAccount;
  private replacedBy: FakeRokuSubscription | null = null;

  constructor(
    readonly roku: FakeRoku,
    public product: FakeRokuProduct,
    readonly options: SubscribeOptions = {},
  ) {
    const { trialDays, change, replaces } = options;
    this.account = options.account ?? roku.own;
    this.customerId = options.customerId ?? roku.newCustomer();
    this.isTrial = trialDays !== undefined;
    const isPlanned = change === 'DOWNGRADE';
    this.status = isPlanned ? 'PendingActive' : 'Active';
    const nowMs = roku.clock.nowMs();
    const startMs = isPlanned && replaces ? replaces.expirationMs : nowMs;
    this.anchorMs = startMs + (trialDays ?? 0) * DAY_MS;
    this.expirationMs = trialDays === undefined ? this.nextEnd() : this.anchorMs;
    this.charge(nowMs, this.isTrial || isPlanned ? 0 : product.total);
  }

  get id(): string {
    return (this.transactions[0] as Transaction).id;
  }

  get latestId(): string {
    return (this.transactions.at(-1) as Transaction).id;
  }

  get total(): number {
    return (this.transactions.at(-1) as Transaction).total;
  }

  bought(): RokuMessage {
    return this.message(this.options.change === 'UPGRADE' ? 'UpgradeSale' : 'Sale', this.latestId);
  }

  /** Charges for the next period, from the day on which the last one ended, or now if it was on hold. */
  renew(type = 'Sale'): RokuMessage {
    const nowMs = this.roku.clock.nowMs();
    const wasOnHold = nowMs >= this.graceEndMs;
    const startMs = wasOnHold ? nowMs : this.expirationMs;
    if (wasOnHold) this.anchorAt(nowMs);
    this.expirationMs = this.nextEnd();
    this.isTrial = false;
    this.charge(startMs, this.product.total);
    return this.message(type, this.latestId);
  }

  recover(): RokuMessage {
    return this.renew(this.roku.clock.nowMs() >= this.graceEndMs ? 'OnHoldRecovered' : 'GraceRecovered');
  }

  failCharge(): RokuMessage {
    return this.message(this.isTrial ? 'OnHoldInitiated' : 'GraceInitiated', this.latestId);
  }

  /** The charge fails without grace, as after a trial. */
  failToHold(): RokuMessage {
    this.isTrial = true;
    return this.message('OnHoldInitiated', this.latestId);
  }

  holdBegins(): RokuMessage {
    return this.message('OnHoldInitiated', this.latestId);
  }

  cancel(): RokuMessage {
    this.isCancelled = true;
    return this.message('Cancellation', this.roku.newId());
  }

  resubscribe(): RokuMessage {
    this.isCancelled = false;
    return this.message('Resubscribe', this.latestId);
  }

  /** Money back; `isUnauthorized`: access ends with it. */
  refund(amount = this.total, { isUnauthorized = false, of = this.id } = {}): RokuMessage {
    const id = this.roku.refund(of, amount, this.account);
    if (isUnauthorized) this.shut();
    return this.message('Refund', id, { originalTransactionId: of, total: amount });
  }

  /** Cancelled at once. */
  shut(): RokuMessage {
    this.isShut = true;
    this.isCancelled = true;
    return this.message('Cancellation', this.roku.newId());
  }

  news(type: string, more: RokuMessage = {}): RokuMessage {
    return this.message(type, this.roku.newId(), more);
  }

  /** Roku gives days to a customer who wants to leave. */
  extend(days: number): RokuMessage {
    this.expirationMs += days * DAY_MS;
    this.anchorAt(this.expirationMs);
    return this.message('CancellationOfferInitiated', this.latestId);
  }

  /** Changes to a more expensive product at once; with a trial, this one waits. */
  upgrade(product: FakeRokuProduct, trialDays?: number): FakeRokuSubscription {
    const { customerId } = this;
    const next = this.roku.subscribe(product, { customerId, trialDays, replaces: this, change: 'UPGRADE' });
    this.status = trialDays === undefined ? 'Inactive' : 'PendingInactive';
    this.isShut = trialDays === undefined;
    this.replacedBy = next;
    return next;
  }

  /** The trial of an upgrade is cancelled: the replaced subscription continues. */
  cancelUpgrade(): RokuMessage {
    const { replaces } = this.options;
    if (replaces) replaces.status = 'Active';
    this.isCancelled = true;
    this.isShut = true;
    return this.message('UpgradeCancellation', this.roku.newId());
  }

  /** Changes to a cheaper product from the next period. */
  downgrade(product: FakeRokuProduct): FakeRokuSubscription {
    const { customerId } = this;
    const next = this.roku.subscribe(product, { customerId, replaces: this, change: 'DOWNGRADE' });
    this.status = 'PendingInactive';
    this.replacedBy = next;
    return next;
  }

  downgradePlanned(): RokuMessage {
    return this.message('DowngradeSale', this.latestId, { total: 0 });
  }

  /** The day of a planned downgrade. */
  begin(): RokuMessage {
    const { replaces } = this.options;
    if (replaces) {
      replaces.status = 'Inactive';
      replaces.isShut = true;
    }
    this.status = 'Active';
    const startMs = replaces?.expirationMs ?? this.roku.clock.nowMs();
    this.anchorAt(startMs);
    this.expirationMs = this.nextEnd();
    this.charge(startMs, this.product.total);
    return this.message('DowngradeSale', this.latestId);
  }

  /** A planned downgrade is withdrawn; Roku turns renewal off as well. */
  withdraw(): RokuMessage {
    const { replaces } = this.options;
    if (replaces) {
      replaces.status = 'Active';
      replaces.isCancelled = true;
      replaces.replacedBy = null;
    }
    this.isCancelled = true;
    this.isShut = true;
    this.status = 'Inactive';
    return this.message('DowngradeCancellation', this.roku.newId(), { originalTransactionId: replaces?.id });
  }

  /** The day of the month stays that of the first payment. */
  private nextEnd(): number {
    const { days = 0, months = 0 } = this.product;
    this.paid += 1;
    const anchor = new Date(this.anchorMs);
    const month = anchor.getUTCMonth() + months * this.paid;
    const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const atMs = anchor.setUTCMonth(month, Math.min(anchor.getUTCDate(), lastDay));
    return atMs + days * this.paid * DAY_MS;
  }

  private anchorAt(atMs: number): void {
    this.anchorMs = atMs;
    this.paid = 0;
  }

  private get graceEndMs(): number {
    return this.expirationMs + (this.isTrial ? 0 : GRACE_MS);
  }

  private get isEntitled(): boolean {
    const nowMs = this.roku.clock.nowMs();
    if (this.isShut || this.status === 'PendingActive') return false;
    return nowMs < (this.isCancelled ? this.expirationMs : this.graceEndMs);
  }

  private charge(startMs: number, total: number): void {
    const { roku, product } = this;
    const transaction = { id: roku.newId(), startMs, total: this.options.isTest ? 0 : total, product };
    this.transactions.push(transaction);
    roku.add(this.account, transaction.id, () => this.shown(transaction));
  }

  private shown({ id, startMs, total, product }: Transaction): Record<string, unknown> {
    const { change, replaces, channelId = this.roku.channelId } = this.options;
    const isGivenUp = this.roku.clock.nowMs() >= this.graceEndMs + HOLD_MS;
    const isLinked = replaces?.replacedBy === this;
    return {
      transactionId: id,
      originalTransactionId: this.id,
      purchaseDate: rokuDate(startMs),
      originalPurchaseDate: rokuDate((this.transactions[0] as Transaction).startMs),
      expirationDate: rokuDate(this.expirationMs),
      isEntitled: this.isEntitled,
      cancelled: this.isCancelled || isGivenUp,
      cancelledTransactionIds: isLinked ? [replaces.latestId] : null,
      purchaseType: change ?? null,
      purchaseStatus: this.status,
      productId: product.id,
      productName: product.id,
      channelId,
      total,
      tax: 0,
      amount: total,
      currency: 'usd',
      quantity: 1,
      rokuCustomerId: this.customerId,
      partnerReferenceId: this.options.partnerReferenceId ?? null,
      isFreeTrial: this.options.trialDays !== undefined && id === this.id,
    };
  }

  private message(transactionType: string, transactionId: string, more: RokuMessage = {}): RokuMessage {
    const { channelId = this.roku.channelId, trialDays } = this.options;
    return {
      transactionType,
      transactionId,
      originalTransactionId: this.id,
      customerId: this.customerId,
      channelId,
      productCode: this.product.id,
      total: this.total,
      currency: 'usd',
      isFreeTrial: trialDays !== undefined && transactionId === this.id,
      // Nine digits of a second, as .NET likes them.
      expirationDate: new Date(this.expirationMs).toISOString().replace('Z', '123456Z'),
      eventDate: new Date(this.roku.clock.nowMs()).toISOString(),
      responseKey: randomBytes(16).toString('hex'),
      ...more,
    };
  }
}
