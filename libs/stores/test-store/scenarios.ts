import { addPeriods } from '../../kernel/index.js';
import { type Price, viewSubscription } from '../../engine/index.js';
import type { StoreProduct } from '../contract.js';
import { DEFAULT_GRACE, DEFAULT_TRIAL, gracePeriod, paidPeriod, trialPeriod } from './durations.js';
import { Timeline, type TimelineStep } from './timeline.js';
import { subscriptionSold } from './sales.js';
import {
  chargeFailed,
  extended,
  refunded,
  refundReversed,
  renewalSaid,
  renewalTurnedOff,
  renewalTurnedOn,
  renewed,
  type Terms,
} from './statements.js';

export const scenarios = [
  'purchase',
  'trial',
  'trial_conversion',
  'renewal',
  'cancel',
  'uncancel',
  'billing_issue',
  'billing_issue_no_grace',
  'billing_recovery',
  'refund',
  'refund_reversed',
  'product_change',
  'product_change_deferred',
  'pause',
  'extend',
  'price_increase',
  'transfer',
  'expire',
] as const;
export type Scenario = (typeof scenarios)[number];

/** More than two years of weekly renewals. */
const MAX_PERIODS = 200;

export class ImpossibleScenario extends Error {}

export interface ScenarioSale {
  token: string;
  product: StoreProduct;
  price: Price;
  /** ISO 3166 alpha-2. */
  country: string | null;
  presentedOfferingId: string | null;
  /** ISO 8601; null means a week. */
  graceDuration: string | null;
  /** The product to change to. */
  next: Terms | null;
}

/** The time that must have passed before the scenario's last step, which happens now. */
function leadOf(scenario: Scenario): 'none' | 'trial' | 'period' {
  if (scenario === 'trial_conversion') return 'trial';
  const runs: Scenario[] = [
    'renewal',
    'billing_issue',
    'billing_issue_no_grace',
    'billing_recovery',
    'expire',
  ];
  return runs.includes(scenario) ? 'period' : 'none';
}

/** The latest possible start of a scenario, epoch ms. */
export function latestStart(scenario: Scenario, product: StoreProduct, nowMs: number): number {
  const lead = leadOf(scenario);
  if (lead === 'none') return nowMs;
  return addPeriods(nowMs, lead === 'trial' ? trialPeriod(product) : paidPeriod(product), -1);
}

/**
 * Applies the renewals due in between, each at its time, unless the scenario is about not renewing.
 * @throws ImpossibleScenario if there would be too many renewals
 */
export function scenarioLife(
  scenario: Scenario,
  sale: ScenarioSale,
  startMs: number,
  nowMs: number,
): TimelineStep[] {
  return new ScenarioWriter(sale, nowMs).write(scenario, startMs);
}

class ScenarioWriter {
  private readonly timeline = new Timeline();

  constructor(
    private readonly sale: ScenarioSale,
    private readonly nowMs: number,
  ) {}

  write(scenario: Scenario, startMs: number): TimelineStep[] {
    const ownWays: Partial<Record<Scenario, () => void>> = {
      // A subscription that had already ended before the purchase was posted did not renew.
      purchase: () => this.begin(startMs, false).endUnlessRunning(),
      trial: () => this.begin(startMs, true).endUnlessRunning(),
      trial_conversion: () => this.begin(startMs, true).renewUntilNow(),
      expire: () => this.begin(startMs, false).turnOff(startMs).endUnlessRunning(),
      billing_issue: () => this.begin(startMs, false).failLastCharge(true),
      billing_issue_no_grace: () => this.begin(startMs, false).failLastCharge(false),
      billing_recovery: () => this.begin(startMs, false).failLastCharge(true).recover(),
      product_change_deferred: () => this.begin(startMs, false).changeAtEnd(startMs).renewUntilNow(),
      pause: () => this.begin(startMs, false).pause(startMs),
    };
    const own = ownWays[scenario];
    if (own) own();
    else this.begin(startMs, false).renewUntilNow().finish(scenario);
    return this.timeline.pass(this.nowMs).steps;
  }

  private get facts() {
    return this.timeline.facts;
  }

  private get latest(): { startMs: number; endMs: number } {
    const { startMs, endMs } = viewSubscription(this.facts).latest;
    // Every period in this store has an end.
    return { startMs, endMs: endMs as number };
  }

  private get terms(): Terms {
    const { next } = this.sale;
    const isNext =
      next !== null && viewSubscription(this.facts).renewal.nextProductId === next.product.storeIdentifier;
    const isChanged =
      next !== null && viewSubscription(this.facts).latest.storeProductId === next.product.storeIdentifier;
    return isNext || isChanged ? next : { product: this.sale.product, price: this.sale.price };
  }

  private begin(startMs: number, withTrial: boolean): this {
    const { token, price, country, presentedOfferingId } = this.sale;
    const trialDuration = withTrial ? (this.sale.product.trialDuration ?? DEFAULT_TRIAL) : null;
    const { product } = this.sale;
    const sale = { token, storeProductId: product.storeIdentifier, price, country, presentedOfferingId };
    this.timeline.report(startMs, (atMs) =>
      subscriptionSold(sale, { ...product, trialDuration }, atMs, true),
    );
    return this;
  }

  private turnOff(atMs: number): this {
    this.timeline.report(atMs, (at) => renewalTurnedOff(this.facts, at));
    return this;
  }

  private endUnlessRunning(): this {
    const { startMs, endMs } = this.latest;
    if (endMs > this.nowMs) return this;
    if (viewSubscription(this.facts).renewal.autoRenew) this.turnOff(startMs);
    this.timeline.pass(endMs);
    return this;
  }

  private renewUntilNow(isWanted: (endMs: number) => boolean = () => true): this {
    for (let { endMs } = this.latest; endMs <= this.nowMs && isWanted(endMs); { endMs } = this.latest) {
      if (this.timeline.steps.length > MAX_PERIODS) {
        throw new ImpossibleScenario(`More than ${MAX_PERIODS} renewals would have happened by now.`);
      }
      this.renew(endMs, endMs);
    }
    return this;
  }

  private renew(atMs: number, startMs: number): void {
    const { terms } = this;
    this.timeline.report(atMs, (at) => renewed(this.facts, this.sale.token, terms, { atMs: at, startMs }));
  }

  /** Fails the charge at the last period end before now. */
  private failLastCharge(hasGrace: boolean): this {
    const next = (endMs: number): number => addPeriods(endMs, paidPeriod(this.sale.product));
    this.renewUntilNow((endMs) => next(endMs) <= this.nowMs);
    const { endMs } = this.latest;
    const grace = gracePeriod(this.sale.product, this.sale.graceDuration ?? DEFAULT_GRACE);
    const graceUntilMs = hasGrace ? addPeriods(endMs, grace) : null;
    this.timeline.report(endMs, (at) => chargeFailed(this.facts, at, graceUntilMs));
    return this;
  }

  /** Makes the failed charge succeed during grace, by now. */
  private recover(): this {
    const { endMs } = this.latest;
    const { graceEndsAtMs } = viewSubscription(this.facts);
    const graceMs = (graceEndsAtMs ?? endMs) - endMs;
    this.renew(Math.min(this.nowMs, endMs + Math.floor(graceMs / 2)), endMs);
    return this.renewUntilNow();
  }

  private changeAtEnd(atMs: number): this {
    const { next } = this.sale;
    const nextProductId = next?.product.storeIdentifier ?? null;
    this.timeline.report(atMs, (at) => renewalSaid(this.facts, at, { nextProductId }));
    return this;
  }

  /** Pauses for one period after the first one. */
  private pause(atMs: number): this {
    const { endMs } = this.latest;
    const resumeMs = addPeriods(endMs, paidPeriod(this.sale.product));
    this.timeline.report(atMs, (at) =>
      renewalSaid(this.facts, at, { pauseScheduled: true, autoResumeAtMs: resumeMs }),
    );
    if (endMs > this.nowMs) return this;
    this.timeline.report(endMs, (at) => renewalSaid(this.facts, at, { pauseScheduled: false, paused: true }));
    if (resumeMs > this.nowMs) return this;
    this.renew(resumeMs, resumeMs);
    return this.renewUntilNow();
  }

  private finish(scenario: Scenario): void {
    const { timeline, nowMs } = this;
    if (scenario === 'cancel' || scenario === 'uncancel') this.turnOff(nowMs);
    if (scenario === 'uncancel') timeline.report(nowMs, (at) => renewalTurnedOn(this.facts, at));
    if (scenario === 'refund' || scenario === 'refund_reversed')
      timeline.report(nowMs, (at) => refunded(this.facts, at));
    if (scenario === 'refund_reversed') timeline.report(nowMs, (at) => refundReversed(this.facts, at));
    if (scenario === 'extend') timeline.report(nowMs, (at) => extended(this.facts, this.terms, at));
    if (scenario === 'price_increase') {
      timeline.report(nowMs, (at) => renewalSaid(this.facts, at, { priceIncrease: 'pending' }));
      timeline.report(nowMs, (at) => renewalSaid(this.facts, at, { priceIncrease: 'accepted' }));
    }
    if (scenario === 'product_change' && this.sale.next) {
      const { next, token } = this.sale;
      timeline.report(nowMs, (at) => renewed(this.facts, token, next, { atMs: at, startMs: at }));
    }
  }
}
