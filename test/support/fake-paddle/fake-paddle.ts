import { createHmac } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { adjustmentObject, transactionObject, withFee } from './fake-paddle-objects.js';
import { FakePaddleSubscription, type PaddleStart } from './fake-paddle-subscription.js';

export interface FakePaddlePrice {
  id: string;
  product: string;
  /** Amount in the smallest unit of the currency. */
  amount: number;
  currency: string;
  /** 0: sold once. */
  days: number;
}

const priceId = (name: string): string => `pri_${name.padEnd(26, '0')}`;
const productId = (name: string): string => `pro_${name.padEnd(26, '0')}`;

/** Everything that can be bought with Paddle in the tests. */
export const paddlePrices = {
  monthly: { id: priceId('monthly'), product: productId('pro'), amount: 999, currency: 'USD', days: 30 },
  yearly: { id: priceId('yearly'), product: productId('gold'), amount: 7999, currency: 'USD', days: 365 },
  plus: { id: priceId('plus'), product: productId('plus'), amount: 1299, currency: 'USD', days: 30 },
  yen: { id: priceId('yen'), product: productId('pro'), amount: 1500, currency: 'JPY', days: 30 },
  premium: { id: priceId('premium'), product: productId('plus'), amount: 1999, currency: 'USD', days: 30 },
  setUp: { id: priceId('setup'), product: productId('setup'), amount: 2500, currency: 'USD', days: 0 },
  book: { id: priceId('book'), product: productId('book'), amount: 2500, currency: 'USD', days: 0 },
  extra: { id: priceId('extra'), product: productId('extra'), amount: 300, currency: 'USD', days: 30 },
  coins: { id: priceId('coins'), product: productId('coins'), amount: 99, currency: 'USD', days: 0 },
  lifetime: { id: priceId('life'), product: productId('life'), amount: 19_900, currency: 'USD', days: 0 },
} satisfies Record<string, FakePaddlePrice>;

export type PaddleJson = Record<string, unknown> & { id: string };

export interface PaddleEventSent {
  id: string;
  type: string;
  body: string;
}

export interface FakeTransaction extends PaddleJson {
  status: string;
  origin: string;
  subscription_id: string | null;
  billing_period: { starts_at: string; ends_at: string } | null;
  billed_at: string | null;
  details: {
    totals: { total: string; fee: string | null; earnings: string | null };
    line_items: { id: string }[];
  };
  adjustments: FakeAdjustment[];
}

export interface FakeAdjustment extends PaddleJson {
  action: string;
  status: string;
  transaction_id: string;
  subscription_id: string | null;
  updated_at: string;
}

export interface FakeItem {
  price: FakePaddlePrice;
  quantity?: number;
  /** Amount before discount and tax. */
  amount?: number;
  trial?: boolean;
  discount?: number;
  /** Added to the amount. */
  tax?: number;
  /** Included in the amount. */
  taxIncluded?: number;
  /** The part of a period that is billed. */
  rate?: string;
}

export interface TransactionTerms {
  items: FakeItem[];
  /** Set off against the total. */
  credit?: number;
  origin?: string;
  status?: string;
  subscriptionId?: string | null;
  customerId?: string;
  period?: [fromMs: number, toMs: number] | null;
  customData?: object | null;
  collection?: 'automatic' | 'manual';
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

function ulid(ms: number, count: number): string {
  let rest = ms;
  let time = '';
  for (let index = 0; index < 10; index++) {
    time = (BASE32[rest % 32] ?? '0') + time;
    rest = Math.floor(rest / 32);
  }
  return time + String(count).padStart(16, '0');
}

/** A Paddle account of its own: subscriptions, transactions, adjustments, and signed events about them. */
export class FakePaddle {
  readonly webhookSecret = 'pdl_ntfset_of_the_fake';
  readonly subscriptions = new Map<string, FakePaddleSubscription>();
  readonly transactions: FakeTransaction[] = [];
  readonly events: PaddleJson[] = [];
  /** Prices of the catalog, each with its product. */
  readonly catalog: PaddleJson[] = [];
  apiKey = `pdl_live_apikey_${'k'.repeat(53)}`;
  private count = 0;

  constructor(readonly clock: ManualClock) {}

  newId(prefix: string): string {
    return `${prefix}_${ulid(this.clock.nowMs(), ++this.count)}`;
  }

  /** RFC 3339 with microseconds, as Paddle writes it. */
  time(ms = this.clock.nowMs()): string {
    return new Date(ms).toISOString().replace('Z', '000Z');
  }

  subscribe(price: FakePaddlePrice = paddlePrices.monthly, start: PaddleStart = {}): FakePaddleSubscription {
    const subscription = new FakePaddleSubscription(this, price, start);
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  transaction(terms: TransactionTerms): FakeTransaction {
    const transaction = transactionObject(this, terms);
    this.transactions.unshift(transaction);
    return transaction;
  }

  /** Sells something once. */
  sell(items: TransactionTerms['items'], more: Partial<TransactionTerms> = {}): FakeTransaction {
    return this.transaction({ items, ...more });
  }

  pay(transaction: FakeTransaction, status = 'completed'): PaddleEventSent {
    transaction.status = status;
    withFee(transaction);
    transaction.billed_at ??= this.time();
    return this.event(`transaction.${status}`, transaction);
  }

  adjust(
    transaction: FakeTransaction,
    action = 'refund',
    { amount, status = 'approved', line }: { amount?: number; status?: string; line?: number } = {},
  ): PaddleEventSent {
    const adjustment = adjustmentObject(this, transaction, action, status, amount, line);
    transaction.adjustments.push(adjustment);
    return this.event('adjustment.created', adjustment);
  }

  /** Paddle has decided on the last adjustment. */
  decide(transaction: FakeTransaction, status: 'approved' | 'rejected' | 'reversed'): PaddleEventSent {
    const adjustment = transaction.adjustments.at(-1);
    if (!adjustment) throw new Error('nothing was adjusted');
    adjustment.status = status;
    adjustment.updated_at = this.time();
    return this.event('adjustment.updated', adjustment);
  }

  event(type: string, data: PaddleJson, more: object = {}): PaddleEventSent {
    const id = this.newId('evt');
    // As the object is now, without what lists only include.
    const shown = { ...data, adjustments: undefined, address: undefined };
    const event = {
      event_id: id,
      event_type: type,
      occurred_at: this.time(),
      data: JSON.parse(JSON.stringify(shown)) as PaddleJson,
    };
    this.events.push({ ...event, id });
    return { id, type, body: JSON.stringify({ ...event, notification_id: this.newId('ntf'), ...more }) };
  }

  signature(body: string, { secrets = [this.webhookSecret], ageS = 0 } = {}): string {
    const ts = Math.floor(this.clock.nowMs() / 1000) - ageS;
    const signed = secrets.map((secret) =>
      createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex'),
    );
    return [`ts=${ts}`, ...signed.map((hex) => `h1=${hex}`)].join(';');
  }
}
