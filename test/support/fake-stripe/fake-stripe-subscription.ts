import type { FakeCharge, FakeEvent, FakePrice, FakeStripe, StripeObject } from './fake-stripe.js';

const DAY_S = 86_400;

export interface StripeStart {
  trialDays?: number;
  livemode?: boolean;
  /** The first payment has not succeeded. */
  incomplete?: boolean;
  /** Sold beside the first. */
  also?: FakePrice[];
  /** The date of renewal is so many days away: until then a part of the price is charged, or nothing. */
  firstDays?: number;
  firstAmount?: number | null;
  /** Sold once, as an invoice item of the first invoice. */
  setUpFee?: number;
  /** All lines of the first invoice. */
  lines?: FakeLine[];
  /** Days for which the subscription is backdated. */
  backdatedDays?: number;
  /** Paid with a source of an old kind: the charge has no payment intent. */
  oldSource?: boolean;
}

/** A line of an invoice, with its period in days from now. */
export interface FakeLine {
  of: 'item' | 'once';
  price: FakePrice;
  amount: number;
  from?: number;
  to?: number;
  proration?: boolean;
  discount?: number;
  /** Added to the amount. */
  tax?: number;
  /** Included in the amount. */
  taxIncluded?: number;
}

/** Billing of a change within a period: an invoice now, lines of the next invoice, or nothing. */
export type Proration = { dueNow: number } | 'next_invoice' | 'none';

interface Item {
  id: string;
  price: FakePrice;
  created: number;
  quantity?: number;
}

export interface FakeInvoice extends StripeObject {
  status: string;
  /** All of them, the newest first: a list shows ten. */
  lines: StripeObject[];
  charge: FakeCharge | null;
  next_payment_attempt: number | null;
}

/** A subscription as Stripe's billing would lead it. Each step gives the event that Stripe sends. */
export class FakeStripeSubscription {
  readonly id: string;
  readonly customer: string;
  /** Newest first. */
  readonly invoices: FakeInvoice[] = [];
  object: StripeObject & { status: string };
  private start: number;
  private end: number;
  /** Scheduled for a later period. */
  private next: { price: FakePrice; startS: number } | null = null;
  private others: Item[];
  /** Lines that the next invoice bills. */
  private pending: StripeObject[] = [];
  /** Credit that the next invoices use up. */
  private balance = 0;
  private readonly isOldSource: boolean;
  private quantity = 1;

  constructor(
    readonly stripe: FakeStripe,
    public price: FakePrice,
    {
      trialDays,
      livemode = true,
      incomplete = false,
      also = [],
      firstDays,
      firstAmount,
      setUpFee,
      lines,
      backdatedDays = 0,
      oldSource = false,
    }: StripeStart,
  ) {
    this.isOldSource = oldSource;
    this.id = stripe.newId('sub');
    this.customer = stripe.newId('cus');
    this.start = stripe.now();
    this.end = this.start + (trialDays ?? firstDays ?? price.days) * DAY_S;
    this.others = also.map((one) => this.item(one));
    const trialEnd = trialDays === undefined ? null : this.end;
    this.object = {
      id: this.id,
      object: 'subscription',
      status: incomplete ? 'incomplete' : trialEnd === null ? 'active' : 'trialing',
      livemode,
      customer: this.customer,
      currency: price.currency,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { reason: null },
      ended_at: null,
      pause_collection: null,
      schedule: null,
      discounts: [],
      start_date: this.start - backdatedDays * DAY_S,
      billing_cycle_anchor: trialDays === undefined && firstDays === undefined ? this.start : this.end,
      trial_end: trialEnd,
      trial_start: trialEnd === null ? null : this.start,
    };
    if (firstAmount === null) return;
    if (lines) {
      this.billLines('subscription_create', lines);
      return;
    }
    const due = firstAmount ?? this.due;
    const isPart = firstAmount !== undefined;
    if (setUpFee !== undefined) this.pending.push(this.feeLine(setUpFee));
    this.bill('subscription_create', trialEnd === null ? due : 0, incomplete ? 'open' : 'paid', isPart);
  }

  /** For a whole period. */
  get due(): number {
    return this.others.reduce((sum, { price }) => sum + price.amount, this.price.amount);
  }

  /** Format of the API. */
  get now(): StripeObject {
    const data = this.items.map(({ id, price, created, quantity = 1 }) => ({
      id,
      object: 'subscription_item',
      created,
      current_period_start: this.start,
      current_period_end: this.end,
      quantity,
      discounts: [],
      price: {
        id: price.id,
        object: 'price',
        product: price.product,
        currency: price.currency,
        unit_amount: price.amount,
        unit_amount_decimal: String(price.amount),
        recurring: { usage_type: 'licensed' },
      },
    }));
    return { ...this.object, items: { object: 'list', data }, latest_invoice: this.invoices[0]?.id };
  }

  private get items(): Item[] {
    const { price, quantity } = this;
    return [{ id: `si_${this.id}`, price, quantity, created: this.start }, ...this.others];
  }

  get latest(): FakeInvoice {
    const [invoice] = this.invoices;
    if (!invoice) throw new Error('there is no invoice');
    return invoice;
  }

  /** The charge of the newest paid invoice. */
  get charge(): FakeCharge {
    const charge = this.invoices.find((invoice) => invoice.charge !== null)?.charge;
    if (!charge) throw new Error('nothing was charged');
    return charge;
  }

  /** Collects what is open, or begins the next period and collects it at once. */
  renew(): FakeEvent {
    const status = this.invoices[0]?.status;
    if (status === 'open' || status === 'draft') {
      this.pay(this.latest);
    } else {
      this.advance();
      this.bill('subscription_cycle', this.due, 'paid');
    }
    this.object.status = 'active';
    return this.stripe.event('invoice.paid', this.latest);
  }

  /** The next period begins; its invoice is not collected yet. */
  beginPeriod(): FakeEvent {
    this.advance();
    this.bill('subscription_cycle', this.due, 'draft');
    this.object.status = 'active';
    return this.updated();
  }

  cancel(): FakeEvent {
    return this.updated({ cancel_at_period_end: true, canceled_at: this.stripe.now() });
  }

  uncancel(): FakeEvent {
    return this.updated({ cancel_at_period_end: false, canceled_at: null });
  }

  /** The charge for the next period fails; null: it is not tried again. */
  fail(nextAttemptDays: number | null): FakeEvent {
    this.advance();
    this.bill('subscription_cycle', this.due, 'open');
    this.latest.next_payment_attempt = nextAttemptDays === null ? null : this.start + nextAttemptDays * DAY_S;
    this.object.status = 'past_due';
    return this.stripe.event('invoice.payment_failed', this.latest);
  }

  giveUp(): FakeEvent {
    this.latest.next_payment_attempt = null;
    return this.updated({ status: 'unpaid' });
  }

  terminate(reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed'): FakeEvent {
    const now = this.stripe.now();
    Object.assign(this.object, {
      status: 'canceled',
      ended_at: now,
      canceled_at: this.object.canceled_at ?? now,
      cancellation_details: { reason },
    });
    return this.stripe.event('customer.subscription.deleted', this.now);
  }

  refund(amount?: number): FakeEvent {
    return this.stripe.refund(this.charge, amount);
  }

  pause(resumesAt: number | null = null): FakeEvent {
    return this.updated({ pause_collection: { behavior: 'void', resumes_at: resumesAt } });
  }

  /** The next period begins while the subscription is paused: its invoice is void. */
  skipPeriod(): FakeEvent {
    this.advance();
    this.bill('subscription_cycle', this.due, 'void');
    return this.updated();
  }

  resume(): FakeEvent {
    return this.updated({ pause_collection: null });
  }

  /** Another price in the middle of the period. */
  exchange(price: FakePrice, proration: Proration = 'none'): FakeEvent {
    const [old] = this.items as [Item, ...Item[]];
    this.price = price;
    if (proration !== 'none') {
      const leftOf = ({ amount, days }: FakePrice): number =>
        Math.round((amount * (this.end - this.stripe.now())) / (days * DAY_S));
      const unused = leftOf(old.price);
      const remaining = proration === 'next_invoice' ? leftOf(price) : unused + proration.dueNow;
      const [item] = this.items as [Item, ...Item[]];
      this.pending.push(this.lineOf(old, -unused, true), this.lineOf(item, remaining, true));
      if (proration !== 'next_invoice') this.bill('subscription_update', 0, 'paid', true);
    }
    return this.updated();
  }

  /** More of the same from now on; nothing is billed for it. */
  changeQuantity(quantity: number): FakeEvent {
    this.quantity = quantity;
    return this.updated();
  }

  /** Bills these lines and collects the money at once. */
  billLines(reason: string, lines: readonly FakeLine[]): FakeEvent {
    this.billed(
      reason,
      lines.map((line) => this.plannedLine(line)),
      'paid',
    );
    return this.stripe.event('invoice.paid', this.latest);
  }

  /** Something that the next invoice bills once. */
  addInvoiceItem(price: FakePrice, amount = price.amount): void {
    this.pending.push(this.feeLine(amount, price));
  }

  private plannedLine({ of, price, amount, from = 0, to = 0, ...more }: FakeLine): StripeObject {
    const [start, end] = [from, to].map((days) => this.stripe.now() + days * DAY_S);
    const { proration = false, discount, tax, taxIncluded } = more;
    const taxes = [
      ...(tax === undefined ? [] : [{ amount: tax, tax_behavior: 'exclusive' }]),
      ...(taxIncluded === undefined ? [] : [{ amount: taxIncluded, tax_behavior: 'inclusive' }]),
    ];
    const [item] = this.items as [Item, ...Item[]];
    const line =
      of === 'once' ? this.feeLine(amount, price) : this.lineOf({ ...item, price }, amount, proration);
    return {
      ...line,
      ...(of === 'item' && { period: { start, end } }),
      discount_amounts: discount === undefined ? [] : [{ amount: discount, discount: 'di_1' }],
      taxes,
    };
  }

  /** One more product; `dueNow` is billed at once. */
  add(price: FakePrice, dueNow: number | null = null): FakeEvent {
    this.others.push(this.item(price));
    if (dueNow !== null) this.bill('subscription_update', dueNow, 'paid', true);
    return this.updated();
  }

  /** One product less; what was paid for it is set off against the next invoice. */
  remove({ id }: FakePrice): FakeEvent {
    this.others = this.others.filter(({ price }) => price.id !== id);
    return this.updated();
  }

  /** Another price with another length: a new period begins now. */
  changeTo(price: FakePrice): FakeEvent {
    this.price = price;
    this.start = this.stripe.now();
    this.end = this.start + price.days * DAY_S;
    this.bill('subscription_update', price.amount, 'paid');
    return this.updated({ billing_cycle_anchor: this.start });
  }

  /** Another price after so many periods, the running one among them: the running phase lasts until then. */
  schedule(price: FakePrice | null, periods = 1): FakeEvent {
    const startS = this.end + (periods - 1) * this.price.days * DAY_S;
    this.next = price && { price, startS };
    const phases = [this.price, ...(price ? [price] : [])].map(({ id, product }, index) => ({
      start_date: index === 0 ? this.start : startS,
      end_date: startS + index * DAY_S,
      items: [{ price: { id, object: 'price', product } }],
    }));
    const current_phase = { start_date: this.start, end_date: startS };
    return this.updated({
      schedule: { id: 'sub_sched_1', object: 'subscription_schedule', current_phase, phases },
    });
  }

  /** Where Stripe bills the longer trial, that is one more invoice of 0, and a new period of the items. */
  extendTrial(days: number, { isBilled = false } = {}): FakeEvent {
    this.end += days * DAY_S;
    if (isBilled) {
      this.start = this.stripe.now();
      this.bill('subscription_update', 0, 'paid');
    }
    return this.updated({ trial_end: this.end, billing_cycle_anchor: this.end });
  }

  updated(changes: object = {}): FakeEvent {
    Object.assign(this.object, changes);
    return this.stripe.event('customer.subscription.updated', this.now);
  }

  private advance(): void {
    this.start = this.end;
    if (this.next && this.next.startS <= this.start) {
      this.price = this.next.price;
      this.next = null;
      this.object.schedule = null;
    }
    this.end = this.start + this.price.days * DAY_S;
  }

  private pay(invoice: FakeInvoice): void {
    const total = invoice.lines.reduce((sum, line) => sum + costOf(line), 0);
    const used = total < 0 ? total : Math.min(total, this.balance);
    this.balance -= used;
    const amount = total < 0 ? 0 : total - used;
    const { currency } = this.price;
    const charge =
      amount === 0 ? null : this.stripe.charge(amount, currency, this.customer, this.isOldSource);
    const payment =
      charge &&
      (charge.payment_intent === null
        ? { type: 'charge', charge: charge.id }
        : { type: 'payment_intent', payment_intent: charge.payment_intent });
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: amount,
      charge,
      next_payment_attempt: null,
      payments: { object: 'list', data: payment ? [{ id: this.stripe.newId('inpay'), payment }] : [] },
    });
  }

  private item(price: FakePrice): Item {
    return { id: this.stripe.newId('si'), price, created: this.stripe.now() };
  }

  private feeLine(amount: number, { id, product }: Pick<FakePrice, 'id' | 'product'> = fee): StripeObject {
    return {
      id: this.stripe.newId('il'),
      amount,
      period: { start: this.start, end: this.start },
      quantity: 1,
      parent: {
        type: 'invoice_item_details',
        invoice_item_details: { invoice_item: this.stripe.newId('ii'), proration: false },
      },
      pricing: { type: 'price_details', price_details: { price: id, product } },
    };
  }

  private lineOf({ id, price }: Item, amount: number, isProration: boolean): StripeObject {
    return {
      id: this.stripe.newId('il'),
      amount,
      period: { start: isProration ? this.stripe.now() : this.start, end: this.end },
      quantity: 1,
      parent: {
        type: 'subscription_item_details',
        subscription_item_details: {
          proration: isProration,
          subscription: this.id,
          subscription_item: id,
        },
      },
      pricing: { type: 'price_details', price_details: { price: price.id, product: price.product } },
    };
  }

  private bill(
    reason: string,
    amount: number,
    status: 'paid' | 'open' | 'draft' | 'void',
    isProration = false,
  ): void {
    const isFree = amount === 0;
    const own = isProration
      ? amount === 0
        ? []
        : [this.lineOf(this.items.at(-1) as Item, amount, true)]
      : this.items.map((item) => this.lineOf(item, isFree ? 0 : item.price.amount, false));
    this.billed(reason, [...this.pending.splice(0), ...own], status);
  }

  private billed(reason: string, lines: StripeObject[], status: 'paid' | 'open' | 'draft' | 'void'): void {
    const invoice: FakeInvoice = {
      id: this.stripe.newId('in'),
      object: 'invoice',
      status,
      charge: null,
      livemode: this.object.livemode,
      next_payment_attempt: null,
      billing_reason: reason,
      created: this.stripe.now(),
      currency: this.price.currency,
      amount_paid: 0,
      customer_address: { country: 'US' },
      parent: { type: 'subscription_details', subscription_details: { subscription: this.id } },
      payments: { object: 'list', data: [] },
      lines,
    };
    this.invoices.unshift(invoice);
    if (status === 'paid') this.pay(invoice);
  }
}

const fee = { id: 'price_fee', product: 'prod_fee' };

/** Amount of a line after discounts, including taxes. */
function costOf({ amount, discount_amounts: discounts, taxes }: StripeObject): number {
  const discount = ((discounts ?? []) as { amount: number }[]).reduce((sum, one) => sum + one.amount, 0);
  const tax = ((taxes ?? []) as { amount: number; tax_behavior: string }[]).reduce(
    (sum, one) => sum + (one.tax_behavior === 'exclusive' ? one.amount : 0),
    0,
  );
  return (amount as number) - discount + tax;
}
