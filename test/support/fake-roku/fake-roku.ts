import { randomBytes } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';
import { rokuDate } from './roku-date.js';
import { FakeRokuSubscription, type SubscribeOptions } from './fake-roku-subscription.js';

export interface FakeRokuProduct {
  id: string;
  /** Length of a period in days. A one-time product has neither days nor months. */
  days?: number;
  /** Length of a period in calendar months. */
  months?: number;
  total: number;
}

/** Everything that can be bought through Roku in the tests. */
export const rokuProducts = {
  monthly: { id: 'pro_monthly', days: 30, total: 9.99 },
  intro: { id: 'pro_intro', days: 30, total: 0.99 },
  basic: { id: 'basic_monthly', days: 30, total: 4.99 },
  calendar: { id: 'pro_calendar', months: 1, total: 9.99 },
  yearly: { id: 'pro_yearly', days: 365, total: 79.99 },
  coins: { id: 'coins', total: 0.99 },
  lifetime: { id: 'lifetime', total: 199 },
} satisfies Record<string, FakeRokuProduct>;

/** A failure in Roku's words: with HTTP 200. */
function failure(errorMessage: string): FakeAnswer {
  const body = { errorCode: null, errorDetails: null, errorMessage, status: 1, transactionId: null };
  return { status: 200, body };
}

export const rokuErrors = {
  unauthorized: failure('UNAUTHORIZED'),
  unknown: failure('The transaction was not found.'),
  notAnId: { status: 400, body: 'Invalid URI format.' },
  down: { status: 500 },
  tooMany: { status: 429, headers: { 'retry-after': '90' } },
  xml: { status: 200, body: '<result xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>' },
} satisfies Record<string, FakeAnswer>;

type Shown = () => Record<string, unknown>;

/** Sales of one developer account. */
export interface FakeRokuAccount {
  apiKey: string;
  transactions: Map<string, Shown>;
  refunds: Map<string, Shown>;
}

function keyOf(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}

/** One thing that was sold once. */
export interface FakeRokuPurchase {
  id: string;
  product: FakeRokuProduct;
  customerId: string;
  quantity: number;
}

/** Roku Pay's web service over purchases of its own, of two developers. */
export class FakeRoku extends FakeHttp {
  readonly channelId = '123456';
  readonly own: FakeRokuAccount = account();
  readonly other: FakeRokuAccount = account();
  /** Names that differ from one answer to the next. */
  spelling: 'capital' | 'small' = 'capital';
  private customers = 0;

  constructor(readonly clock: ManualClock) {
    super();
  }

  get apiKey(): string {
    return this.own.apiKey;
  }

  newCustomer(): string {
    return `customer${++this.customers}${randomBytes(6).toString('hex')}`;
  }

  /** With dashes, as most of Roku's are. */
  newId(): string {
    const hex = randomBytes(16).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toUpperCase();
  }

  subscribe(
    product: FakeRokuProduct = rokuProducts.monthly,
    options: SubscribeOptions = {},
  ): FakeRokuSubscription {
    return new FakeRokuSubscription(this, product, options);
  }

  buy(
    product: FakeRokuProduct,
    options: { customerId?: string; channelId?: string; quantity?: number } = {},
  ): FakeRokuPurchase {
    const { customerId = this.newCustomer(), channelId = this.channelId, quantity = 1 } = options;
    const id = this.newId();
    const boughtMs = this.clock.nowMs();
    this.add(this.own, id, () => ({
      transactionId: id,
      purchaseDate: rokuDate(boughtMs),
      originalPurchaseDate: rokuDate(boughtMs),
      expirationDate: null,
      isEntitled: true,
      cancelled: false,
      productId: product.id,
      channelId,
      quantity,
      total: product.total * quantity,
      currency: 'usd',
      rokuCustomerId: customerId,
    }));
    return { id, product, customerId, quantity };
  }

  add({ transactions }: FakeRokuAccount, id: string, shown: Shown): void {
    transactions.set(keyOf(id), shown);
  }

  /** Roku voids what test users bought. */
  forget(id: string): void {
    this.own.transactions.delete(keyOf(id));
  }

  /** A refund under an id of its own. */
  refund(originalTransactionId: string, amount: number, into: FakeRokuAccount = this.own): string {
    const id = this.newId();
    const atMs = this.clock.nowMs();
    into.refunds.set(keyOf(id), () => ({
      transactionId: id,
      originalTransactionId,
      purchaseDate: rokuDate(atMs),
      amount: -amount,
      total: -amount,
      currency: 'usd',
    }));
    return id;
  }

  protected answer({ path }: FakeCall): FakeAnswer {
    const [, call = '', key = '', id = ''] =
      /^\/(validate-transaction|validate-refund)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (call === '') return rokuErrors.notAnId;
    const asking = [this.own, this.other].find(({ apiKey }) => apiKey === decodeURIComponent(key));
    if (!asking) return rokuErrors.unauthorized;
    const known = call === 'validate-refund' ? asking.refunds : asking.transactions;
    const shown = known.get(keyOf(decodeURIComponent(id)));
    return shown ? { status: 200, body: this.written(shown()) } : rokuErrors.unknown;
  }

  private written(shown: Record<string, unknown>): Record<string, unknown> {
    const body: Record<string, unknown> = {
      status: 0,
      errorCode: null,
      errorDetails: null,
      errorMessage: '',
      couponCode: null,
      ...shown,
    };
    if (this.spelling === 'small') return { ...body, status: 'Success', channelId: Number(body.channelId) };
    const { originalTransactionId, ...others } = body;
    return { ...others, OriginalTransactionId: originalTransactionId };
  }
}

function account(): FakeRokuAccount {
  return {
    apiKey: randomBytes(18).toString('hex').toUpperCase(),
    transactions: new Map(),
    refunds: new Map(),
  };
}
