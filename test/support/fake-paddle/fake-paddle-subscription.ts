import type {
  FakeItem,
  FakePaddle,
  FakePaddlePrice,
  FakeTransaction,
  PaddleEventSent,
  PaddleJson,
} from './fake-paddle.js';
import { daysMs, priceObject, productObject } from './fake-paddle-objects.js';

export interface PaddleStart {
  trialDays?: number;
  customData?: object | null;
  customerId?: string;
  collection?: 'automatic' | 'manual';
  /** `custom_data` of the first transaction. */
  status?: string;
  others?: FakePaddlePrice[];
  /** All items of the first transaction. */
  items?: FakeItem[];
}

type Period = [fromMs: number, toMs: number];

/** A subscription as Paddle keeps it. What happens to it gives the event that Paddle sends. */
export class FakePaddleSubscription {
  readonly id: string;
  readonly customerId: string;
  status = 'active';
  period: Period | null;
  scheduled: { action: string; effective_at: string; resume_at: string | null } | null = null;
  canceledAt: string | null = null;
  pausedAt: string | null = null;
  importMeta: object | null = null;
  others: FakePaddlePrice[];
  private readonly startedAt: string;
  private readonly trial: Period | null;

  constructor(
    private readonly paddle: FakePaddle,
    public price: FakePaddlePrice,
    private readonly start: PaddleStart,
  ) {
    const nowMs = paddle.clock.nowMs();
    const { trialDays, status = 'completed' } = start;
    this.id = paddle.newId('sub');
    this.customerId = start.customerId ?? paddle.newId('ctm');
    this.startedAt = paddle.time();
    this.others = start.others ?? [];
    this.trial = trialDays === undefined ? null : [nowMs, nowMs + daysMs(trialDays)];
    if (this.trial) this.status = 'trialing';
    this.period = this.trial ?? [nowMs, nowMs + daysMs(price.days)];
    const { items } = start;
    this.bill(this.period, { origin: 'web', status, trial: this.trial !== null, ...(items && { items }) });
  }

  get object(): PaddleJson {
    const dates = this.trial && {
      starts_at: this.paddle.time(this.trial[0]),
      ends_at: this.paddle.time(this.trial[1]),
    };
    const page = `https://buyer-portal.paddle.com/subscriptions/${this.id}`;
    return {
      id: this.id,
      status: this.status,
      customer_id: this.customerId,
      address_id: 'add_01gm302t81w94gyjpjpqypkzkf',
      business_id: null,
      currency_code: this.price.currency,
      created_at: this.startedAt,
      updated_at: this.paddle.time(),
      started_at: this.startedAt,
      first_billed_at: this.startedAt,
      next_billed_at: this.period && this.status !== 'paused' ? this.paddle.time(this.period[1]) : null,
      paused_at: this.pausedAt,
      canceled_at: this.canceledAt,
      discount: null,
      collection_mode: this.start.collection ?? 'automatic',
      billing_details: null,
      current_billing_period: this.period && {
        starts_at: this.paddle.time(this.period[0]),
        ends_at: this.paddle.time(this.period[1]),
      },
      billing_cycle: { interval: 'day', frequency: this.price.days },
      scheduled_change: this.scheduled,
      management_urls: { update_payment_method: `${page}/update`, cancel: `${page}/cancel` },
      items: [this.price, ...this.others].map((price, index) => ({
        status: 'active',
        quantity: 1,
        recurring: true,
        created_at: this.startedAt,
        updated_at: this.startedAt,
        previously_billed_at: null,
        next_billed_at: null,
        trial_dates: index === 0 ? dates : null,
        price: priceObject(price),
        product: productObject(price.product),
      })),
      custom_data: this.start.customData ?? null,
      import_meta: this.importMeta,
    };
  }

  /** Newest first. */
  get transactions(): FakeTransaction[] {
    return this.paddle.transactions.filter(({ subscription_id: id }) => id === this.id);
  }

  get latest(): FakeTransaction {
    const [latest] = this.transactions.filter(({ billing_period: period }) => period !== null);
    if (!latest) throw new Error('nothing was billed');
    return latest;
  }

  updated(what = 'updated'): PaddleEventSent {
    return this.paddle.event(`subscription.${what}`, this.object);
  }

  /** First step of a renewal: the next period begins, and its payment is still to come. */
  moveOn(): PaddleEventSent {
    const from = this.period?.[1] ?? this.paddle.clock.nowMs();
    this.period = [from, from + daysMs(this.price.days)];
    if (this.status === 'trialing') this.status = 'active';
    this.bill(this.period, { origin: 'subscription_recurring', status: 'billed' });
    return this.updated();
  }

  /** Second step: the money has come. */
  collect(): PaddleEventSent {
    if (this.status === 'past_due') this.status = 'active';
    return this.paddle.pay(this.latest);
  }

  renew(): PaddleEventSent {
    this.moveOn();
    return this.collect();
  }

  /** The payment of the next period failed. */
  fail(): PaddleEventSent {
    this.moveOn();
    return this.failCollection();
  }

  failCollection(): PaddleEventSent {
    this.latest.status = 'past_due';
    this.status = 'past_due';
    return this.updated('past_due');
  }

  cancel(): PaddleEventSent {
    this.schedule('cancel');
    return this.updated();
  }

  uncancel(): PaddleEventSent {
    this.scheduled = null;
    return this.updated();
  }

  /** At the end of the period, now, or when Paddle gives up. */
  end(): PaddleEventSent {
    Object.assign(this, {
      status: 'canceled',
      scheduled: null,
      period: null,
      canceledAt: this.paddle.time(),
    });
    return this.updated('canceled');
  }

  schedulePause(resumeAtMs: number | null = null): PaddleEventSent {
    this.schedule('pause', resumeAtMs);
    return this.updated();
  }

  pause(): PaddleEventSent {
    const resumeAt = this.scheduled?.resume_at ?? null;
    const resume = resumeAt && { action: 'resume', effective_at: resumeAt, resume_at: null };
    Object.assign(this, { status: 'paused', scheduled: resume, period: null, pausedAt: this.paddle.time() });
    return this.updated('paused');
  }

  /** With a new period, which is charged. */
  resume(): PaddleEventSent {
    const nowMs = this.paddle.clock.nowMs();
    Object.assign(this, { status: 'active', scheduled: null, pausedAt: null });
    this.period = [nowMs, nowMs + daysMs(this.price.days)];
    this.bill(this.period, { origin: 'subscription_update' });
    return this.updated('resumed');
  }

  /** Within what was paid for. */
  continue(period: Period): PaddleEventSent {
    Object.assign(this, { status: 'active', scheduled: null, pausedAt: null, period });
    return this.updated('resumed');
  }

  /** Changes to a price with another billing cycle; a new period begins. */
  changeTo(price: FakePaddlePrice): PaddleEventSent {
    const nowMs = this.paddle.clock.nowMs();
    this.price = price;
    this.period = [nowMs, nowMs + daysMs(price.days)];
    this.bill(this.period, { origin: 'subscription_update' });
    return this.updated();
  }

  /** Changes to another price in the same period; `amount` is the difference for the rest of it. */
  exchange(price: FakePaddlePrice, amount = 0): PaddleEventSent {
    this.price = price;
    const end = this.period?.[1] ?? 0;
    if (amount > 0) this.bill([this.paddle.clock.nowMs(), end], { origin: 'subscription_update', amount });
    return this.updated();
  }

  /**
   * Changes to another price in the same period: bills the rest of it, minus the remainder of the old price.
   */
  exchangeProrated(price: FakePaddlePrice): PaddleEventSent {
    const nowMs = this.paddle.clock.nowMs();
    const [from, to] = this.period ?? [0, 0];
    const rate = (to - nowMs) / (to - from);
    const credit = Math.round(this.price.amount * rate);
    this.price = price;
    const items = [{ price, amount: Math.round(price.amount * rate), rate: String(rate) }];
    this.bill([nowMs, to], { origin: 'subscription_update', items, credit });
    return this.updated();
  }

  /** The next period with something that is charged once, and a balance that is used up. */
  renewWith(items: FakeItem[], credit = 0): PaddleEventSent {
    const from = this.period?.[1] ?? this.paddle.clock.nowMs();
    this.period = [from, from + daysMs(this.price.days)];
    this.bill(this.period, {
      origin: 'subscription_recurring',
      items: [{ price: this.price }, ...items],
      credit,
    });
    return this.updated();
  }

  /** The seller moves the next billing date. */
  extend(days: number): PaddleEventSent {
    const [from, to] = this.period ?? [0, 0];
    this.period = [from, to + daysMs(days)];
    return this.updated();
  }

  /** Charges something once, beside the subscription. */
  charge(price: FakePaddlePrice): FakeTransaction {
    return this.paddle.transaction({
      items: [{ price }],
      origin: 'subscription_charge',
      subscriptionId: this.id,
      customerId: this.customerId,
    });
  }

  private schedule(action: string, resumeAtMs: number | null = null): void {
    const end = this.period?.[1] ?? 0;
    const resumeAt = resumeAtMs === null ? null : this.paddle.time(resumeAtMs);
    this.scheduled = { action, effective_at: this.paddle.time(end), resume_at: resumeAt };
  }

  private bill(
    period: Period,
    {
      origin,
      status = 'completed',
      trial = false,
      amount,
      items,
      credit = 0,
    }: {
      origin: string;
      status?: string;
      trial?: boolean;
      amount?: number;
      items?: FakeItem[];
      credit?: number;
    },
  ): void {
    const prices = amount === undefined ? [this.price, ...this.others] : [this.price];
    this.paddle.transaction({
      items: items ?? prices.map((price) => ({ price, trial, ...(amount !== undefined && { amount }) })),
      credit,
      origin,
      status,
      period,
      subscriptionId: this.id,
      customerId: this.customerId,
      collection: this.start.collection,
    });
  }
}
