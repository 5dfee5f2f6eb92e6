import {
  type AddOnFact,
  applySubscription,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionFacts,
  type SubscriptionState,
  type EngineEvent,
  type EndFacts,
  type LedgerEntry,
  newSubscription,
  noSubscriptionFacts,
  type Observation,
  type PeriodFact,
  type RefundFact,
  type Register,
  type RenewalFact,
  type Source,
  type Store,
} from '../index.js';

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
/** Noon, so that results do not depend on the time zone. */
export const START_MS = Date.UTC(2026, 0, 1, 12);
export const PRICE_MICROS = 9_990_000;
export const ADD_ON_MICROS = 3_000_000;

/** Epoch ms of a time given in days after the start. */
export const day = (days: number): number => START_MS + days * DAY_MS;

export function register<T>(at: number, value: T, src: Source = 'signed'): Register<T> {
  return { at, src, value };
}

/** Period `index` of thirty days, with key `p<index>`. */
export function periodFact(index: number, change: Partial<PeriodFact> = {}): PeriodFact {
  return {
    storeProductId: 'monthly',
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: index > 0,
    startMs: day(index * 30),
    endMs: day((index + 1) * 30),
    price: { amountMicros: PRICE_MICROS, currency: 'USD', source: 'store' },
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: `t${index}`,
    country: 'US',
    ...change,
  };
}

export function renewalFact(change: Partial<RenewalFact> = {}): RenewalFact {
  return {
    autoRenew: true,
    cancelledAtMs: null,
    nextProductId: null,
    inRetry: false,
    billingIssueAtMs: null,
    graceUntilMs: null,
    pauseScheduled: false,
    paused: false,
    autoResumeAtMs: null,
    ...change,
  };
}

export class ReportBuilder {
  private readonly facts: SubscriptionFacts = { ...noSubscriptionFacts };

  constructor(
    readonly atMs: number,
    private readonly src: Source = 'signed',
  ) {}

  period(index: number, change: Partial<PeriodFact> = {}): this {
    const said = this.register(periodFact(index, change));
    this.facts.periods = { ...this.facts.periods, [`p${index}`]: said };
    return this;
  }

  /** The add-on `hifi`, paid for together with period `index` or by a separate charge. */
  addOn(charge: number | string, change: Partial<AddOnFact> = {}): this {
    const isTogether = typeof charge === 'number';
    const chargeKey = isTogether ? `p${charge}` : charge;
    const value: AddOnFact = {
      ...periodFact(isTogether ? charge : 0),
      storeProductId: 'hifi',
      price: { amountMicros: ADD_ON_MICROS, currency: 'USD', source: 'store' },
      storeTransactionId: isTogether ? `t${charge}` : charge,
      chargeKey,
      renews: true,
      ...change,
    };
    const key = `${chargeKey}+${value.storeProductId}`;
    this.facts.addOns = { ...this.facts.addOns, [key]: this.register(value) };
    return this;
  }

  renewal(index: number, change: Partial<RenewalFact> = {}): this {
    this.facts.renewal = this.register(renewalFact({ periodKey: `p${index}`, ...change }));
    return this;
  }

  refund(of: number | string, change: Partial<RefundFact> = {}): this {
    const key = typeof of === 'number' ? `p${of}` : of;
    const refund: RefundFact = { revokedAtMs: this.atMs, kind: 'full', amountMicros: null, ...change };
    this.facts.refunds = { ...this.facts.refunds, [key]: this.register(refund) };
    return this;
  }

  ends(of: number | string, ends: { grace?: number; expired?: number | null }): this {
    const key = typeof of === 'number' ? `p${of}` : of;
    const said: EndFacts = {};
    if (ends.grace !== undefined) said.grace = this.register(ends.grace);
    if (ends.expired !== undefined) said.expired = this.register(ends.expired);
    this.facts.ends = { ...this.facts.ends, [key]: said };
    return this;
  }

  with(facts: Partial<SubscriptionFacts>): this {
    Object.assign(this.facts, facts);
    return this;
  }

  get observation(): Observation<SubscriptionFacts> {
    return { atMs: this.atMs, facts: this.facts };
  }

  private register<T>(value: T): Register<T> {
    return register(this.atMs, value, this.src);
  }
}

export const at = (days: number, src?: Source): ReportBuilder => new ReportBuilder(day(days), src);

/** `TYPE` or `TYPE/REASON`, with `(suppressed)` if it is not delivered. */
export function label({ type, cancelReason, expirationReason, delivery }: EngineEvent): string {
  const reason = cancelReason ?? expirationReason;
  const silent = delivery === 'suppressed' ? ' (suppressed)' : '';
  return `${type}${reason ? `/${reason}` : ''}${silent}`;
}

export class SubscriptionHistory {
  subscription: Subscription;
  readonly events: EngineEvent[] = [];
  readonly ledger: LedgerEntry[] = [];
  /** Kind, key and product of each charge. */
  readonly sales: [string, string, string][] = [];
  state!: SubscriptionState;

  constructor(
    readonly store: Store = 'app_store',
    id = 'sub_1',
  ) {
    this.subscription = newSubscription({ id, store, environment: 'production', storeKey: id });
  }

  /** Applies a store report, by default at its own time, and returns the labels of the events. */
  receive(report: ReportBuilder, nowMs = report.atMs): string[] {
    return this.take(applySubscription(this.subscription, report.observation, nowMs));
  }

  observe(observation: Observation<SubscriptionFacts>, nowMs = observation.atMs): string[] {
    return this.take(applySubscription(this.subscription, observation, nowMs));
  }

  pass(days: number): string[] {
    return this.take(applySubscription(this.subscription, null, day(days)));
  }

  /** Status, auto-renewal status, access and the end of access in days after the start. */
  get now(): [string, string, boolean, number | null] {
    const { status, autoRenewalStatus, givesAccess, accessEndsAtMs } = this.state;
    const endDay = accessEndsAtMs === null ? null : (accessEndsAtMs - START_MS) / DAY_MS;
    return [status, autoRenewalStatus, givesAccess, endDay];
  }

  get lastEvent(): EngineEvent | undefined {
    return this.events.at(-1);
  }

  /** Kind and amount of each ledger row. */
  get money(): [string, number | null][] {
    return this.ledger.map(({ kind, price }) => [kind, price.amountMicros]);
  }

  private take(change: SubscriptionChange): string[] {
    this.subscription = change.subscription;
    this.state = change.state;
    this.events.push(...change.events);
    this.ledger.push(...change.ledger);
    for (const { kind, periodKey, storeProductId } of change.sales) {
      this.sales.push([kind, periodKey, storeProductId]);
    }
    return change.events.map(label);
  }
}

/** A paid subscription with `periods` periods, each reported when it starts. */
export function subscribed(
  store: Store = 'app_store',
  periods = 1,
  change: Partial<PeriodFact> = {},
): SubscriptionHistory {
  const history = new SubscriptionHistory(store);
  for (let index = 0; index < periods; index++) {
    history.receive(
      at(index * 30)
        .period(index, index === 0 ? change : {})
        .renewal(index),
    );
  }
  return history;
}
