import Stripe from 'stripe';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { FakeStripeSubscription, type StripeStart } from './fake-stripe-subscription.js';

export interface FakePrice {
  id: string;
  product: string;
  /** Amount in the smallest unit of the currency. */
  amount: number;
  currency: string;
  days: number;
}

/** Everything that can be bought with Stripe in the tests. */
export const fakePrices = {
  monthly: { id: 'price_monthly', product: 'prod_pro', amount: 999, currency: 'usd', days: 30 },
  yearly: { id: 'price_yearly', product: 'prod_gold', amount: 7999, currency: 'usd', days: 365 },
  plus: { id: 'price_plus', product: 'prod_plus', amount: 1299, currency: 'usd', days: 30 },
  premium: { id: 'price_premium', product: 'prod_plus', amount: 1999, currency: 'usd', days: 30 },
  setUp: { id: 'price_setup', product: 'prod_setup', amount: 2500, currency: 'usd', days: 0 },
  book: { id: 'price_book', product: 'prod_book', amount: 2500, currency: 'usd', days: 0 },
  quarterly: { id: 'price_quarterly', product: 'prod_pro', amount: 2499, currency: 'usd', days: 90 },
  yen: { id: 'price_yen', product: 'prod_pro', amount: 1500, currency: 'jpy', days: 30 },
  dinar: { id: 'price_dinar', product: 'prod_pro', amount: 3500, currency: 'kwd', days: 30 },
  extra: { id: 'price_extra', product: 'prod_extra', amount: 300, currency: 'usd', days: 30 },
  coins: { id: 'price_coins', product: 'prod_coins', amount: 99, currency: 'usd', days: 0 },
  lifetime: { id: 'price_lifetime', product: 'prod_lifetime', amount: 19_900, currency: 'usd', days: 0 },
} satisfies Record<string, FakePrice>;

export type StripeObject = Record<string, unknown> & { id: string };

export interface FakeRefund extends StripeObject {
  object: 'refund';
  amount: number;
  created: number;
  status: string;
  payment_intent: string | null;
  charge: string;
}

export interface FakeCharge extends StripeObject {
  object: 'charge';
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  paid: boolean;
  currency: string;
  customer: string | null;
  /** Null if an old kind of source was charged. */
  payment_intent: string | null;
  created: number;
  refunds: { object: 'list'; data: FakeRefund[] };
  disputed: boolean;
}

export interface FakeEvent {
  id: string;
  type: string;
  body: string;
}

export interface SessionOptions {
  paid?: boolean;
  status?: 'open' | 'complete' | 'expired';
  livemode?: boolean;
  mode?: string;
  subscription?: string;
}

/** A Stripe account of its own: subscriptions, sessions, charges, and signed events about them. */
export class FakeStripe {
  readonly webhookSecret = 'whsec_of_the_fake';
  readonly secretKey = 'rk_live_ofTheFake';
  readonly subscriptions = new Map<string, FakeStripeSubscription>();
  readonly sessions = new Map<string, StripeObject>();
  readonly charges: FakeCharge[] = [];
  readonly disputes: StripeObject[] = [];
  /** Prices of the catalog, newest first, each with its product. */
  readonly catalog: StripeObject[] = [];
  readonly creditNotes: StripeObject[] = [];
  private ids = 1000;

  constructor(readonly clock: ManualClock) {}

  /** Epoch seconds. */
  now(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }

  newId(prefix: string): string {
    return `${prefix}_${++this.ids}A`;
  }

  subscribe(price: FakePrice = fakePrices.monthly, start: StripeStart = {}): FakeStripeSubscription {
    const subscription = new FakeStripeSubscription(this, price, start);
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  charge(amount: number, currency: string, customer: string | null, isOldSource = false): FakeCharge {
    const charge: FakeCharge = {
      id: this.newId('ch'),
      object: 'charge',
      amount,
      amount_refunded: 0,
      refunded: false,
      paid: true,
      currency,
      customer,
      payment_intent: isOldSource ? null : this.newId('pi'),
      created: this.now(),
      refunds: { object: 'list', data: [] },
      disputed: false,
    };
    this.charges.unshift(charge);
    return charge;
  }

  /** Gives money back, all that is left unless said otherwise. */
  refund(charge: FakeCharge, amount = charge.amount - charge.amount_refunded): FakeEvent {
    charge.refunds.data.unshift({
      id: this.newId('re'),
      object: 'refund',
      amount,
      created: this.now(),
      status: 'succeeded',
      payment_intent: charge.payment_intent,
      charge: charge.id,
    });
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    return this.event('charge.refunded', charge);
  }

  /** Refunds lines of an invoice with a credit note that names them. */
  credit(charge: FakeCharge, invoiceId: string, lines: readonly StripeObject[]): FakeEvent {
    const amount = lines.reduce((sum, line) => sum + (line.amount as number), 0);
    const named = lines.map((line) => ({
      id: this.newId('cnli'),
      object: 'credit_note_line_item',
      amount: line.amount,
      discount_amounts: [],
      taxes: [],
      invoice_line_item: line.id,
    }));
    this.creditNotes.unshift({
      id: this.newId('cn'),
      object: 'credit_note',
      invoice: invoiceId,
      status: 'issued',
      type: 'post_payment',
      lines: { object: 'list', data: named, has_more: false },
    });
    return this.refund(charge, amount);
  }

  /** A customer's bank takes money back, or asks first (`warning_needs_response`). */
  dispute(charge: FakeCharge, status = 'needs_response', amount = charge.amount): FakeEvent {
    const { id, payment_intent } = charge;
    charge.disputed = true;
    const place = { id: this.newId('dp'), object: 'dispute', charge: id, payment_intent };
    const dispute = { ...place, amount, currency: charge.currency, created: this.now(), status };
    this.disputes.unshift(dispute);
    return this.event('charge.dispute.created', dispute);
  }

  closeDispute(charge: FakeCharge, status: 'won' | 'lost'): FakeEvent {
    const dispute = this.disputes.find((one) => one.charge === charge.id);
    if (!dispute) throw new Error('nothing was disputed');
    dispute.status = status;
    return this.event('charge.dispute.closed', dispute);
  }

  /** The bank did not take the last refund. */
  failRefund(charge: FakeCharge): FakeEvent {
    const [refund] = charge.refunds.data;
    if (!refund) throw new Error('nothing was refunded');
    refund.status = 'failed';
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    return this.event('refund.failed', refund);
  }

  checkout(
    items: { price: FakePrice; quantity?: number }[],
    {
      paid = true,
      status = 'complete',
      livemode = true,
      mode = 'payment',
      subscription,
    }: SessionOptions = {},
  ): { session: StripeObject; charge: FakeCharge | null } {
    const currency = items[0]?.price.currency ?? 'usd';
    const lines = items.map(({ price, quantity = 1 }) => ({
      id: this.newId('li'),
      object: 'item',
      amount_total: price.amount * quantity,
      currency,
      quantity,
      price: { id: price.id, object: 'price', product: price.product },
    }));
    const total = lines.reduce((sum, { amount_total: amount }) => sum + amount, 0);
    const session: StripeObject = {
      id: this.newId(livemode ? 'cs_live' : 'cs_test').replace(/_(\d+A)$/, '_a$1'),
      object: 'checkout.session',
      mode,
      status,
      livemode,
      currency,
      customer: this.newId('cus'),
      amount_total: total,
      payment_status: 'unpaid',
      payment_intent: null,
      subscription: subscription ?? null,
      created: this.now(),
      customer_details: { address: { country: 'DE' } },
      line_items: { object: 'list', data: lines },
    };
    this.sessions.set(session.id, session);
    return { session, charge: paid ? this.paySession(session) : null };
  }

  /** The money of a session has come; null where there was none to come. */
  paySession(session: StripeObject): FakeCharge | null {
    const total = session.amount_total as number;
    session.payment_status = total === 0 ? 'no_payment_required' : 'paid';
    if (total === 0 || session.mode !== 'payment') return null;
    const charge = this.charge(total, session.currency as string, session.customer as string);
    session.payment_intent = {
      id: charge.payment_intent,
      object: 'payment_intent',
      latest_charge: charge,
    };
    return charge;
  }

  event(type: string, object: StripeObject, more: object = {}): FakeEvent {
    const id = this.newId('evt');
    const body = JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-02-25.clover',
      created: this.now(),
      livemode: object.livemode ?? true,
      type,
      data: { object },
      ...more,
    });
    return { id, type, body };
  }

  signature(body: string, { secret = this.webhookSecret, ageS = 0, scheme = 'v1' } = {}): string {
    const timestamp = this.now() - ageS;
    return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp, scheme });
  }
}
