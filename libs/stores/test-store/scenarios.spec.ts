import fc from 'fast-check';
import { addPeriods } from '../../kernel/index.js';
import {
  applySubscription,
  type Subscription,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  viewSubscription,
} from '../../engine/index.js';
import {
  type Act,
  acts,
  actSteps,
  ImpossibleScenario,
  latestStart,
  type TimelineStep,
  type Scenario,
  scenarioLife,
  scenarios,
  type StoreProduct,
} from '../index.js';
import { paidPeriod } from './durations.js';

const NOW_MS = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 86_400_000;

const monthly: StoreProduct = {
  storeIdentifier: 'monthly',
  type: 'subscription',
  duration: 'P1M',
  trialDuration: null,
  price: null,
};
const price = (amountMicros: number) => ({ amountMicros, currency: 'USD', source: 'catalog' }) as const;
const yearly = {
  product: { ...monthly, storeIdentifier: 'yearly', duration: 'P1Y' },
  price: price(79_990_000),
};

interface Report {
  subscription: Subscription;
  events: EngineEvent[];
  ledger: LedgerEntry[];
  status: string;
  types: string[];
}

function run(steps: TimelineStep[], subscription: Subscription): Report {
  const report: Report = { subscription, events: [], ledger: [], status: '', types: [] };
  for (const { atMs, observation } of steps) {
    const change = applySubscription(report.subscription, observation, atMs);
    report.subscription = change.subscription;
    report.events.push(...change.events);
    report.ledger.push(...change.ledger);
    report.status = change.state.status;
  }
  report.types = report.events.map(({ type }) => type);
  return report;
}

function play(
  scenario: Scenario,
  { product = monthly, startMs = latestStart(scenario, product, NOW_MS), nowMs = NOW_MS } = {},
): Report {
  const sale = {
    token: 'token',
    product,
    price: price(9_990_000),
    country: 'DE',
    presentedOfferingId: 'default',
    graceDuration: null,
    next: yearly,
  };
  const subscription = newSubscription({
    id: 's',
    store: 'test_store',
    environment: 'sandbox',
    storeKey: 'token',
  });
  return run(scenarioLife(scenario, sale, startMs, nowMs), subscription);
}

function act(report: Report, what: Act, nowMs = NOW_MS): Report {
  const { latest } = viewSubscription(report.subscription.facts);
  const own = latest.storeProductId === 'yearly' ? yearly : { product: monthly, price: price(9_990_000) };
  const terms = { own, next: yearly, graceDuration: null };
  return run(actSteps(what, report.subscription, terms, nowMs), report.subscription);
}

describe('scenarios of a subscription', () => {
  it.each<[Scenario, string[], string]>([
    ['purchase', ['INITIAL_PURCHASE'], 'active'],
    ['trial', ['INITIAL_PURCHASE'], 'trialing'],
    ['trial_conversion', ['INITIAL_PURCHASE', 'RENEWAL'], 'active'],
    ['renewal', ['INITIAL_PURCHASE', 'RENEWAL'], 'active'],
    ['cancel', ['INITIAL_PURCHASE', 'CANCELLATION'], 'active'],
    ['uncancel', ['INITIAL_PURCHASE', 'CANCELLATION', 'UNCANCELLATION'], 'active'],
    ['billing_issue', ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION'], 'in_grace_period'],
    [
      'billing_issue_no_grace',
      ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION', 'EXPIRATION'],
      'in_billing_retry',
    ],
    ['billing_recovery', ['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION', 'RENEWAL'], 'active'],
    ['refund', ['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION'], 'expired'],
    ['refund_reversed', ['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION', 'REFUND_REVERSED'], 'active'],
    ['product_change', ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'], 'active'],
    ['product_change_deferred', ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'], 'active'],
    ['pause', ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED'], 'active'],
    ['extend', ['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED'], 'active'],
    [
      'price_increase',
      ['INITIAL_PURCHASE', 'PRICE_INCREASE_CONSENT_REQUIRED', 'PRICE_INCREASE_CONSENT_APPROVED'],
      'active',
    ],
    ['transfer', ['INITIAL_PURCHASE'], 'active'],
    ['expire', ['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION'], 'expired'],
  ])('%s emits %j and ends %s', (scenario, types, status) => {
    expect(play(scenario)).toMatchObject({ types, status });
  });

  it.each<[Scenario, number, string[], string]>([
    ['purchase', 10, ['INITIAL_PURCHASE'], 'active'],
    ['purchase', 100, ['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION'], 'expired'],
    ['trial', 10, ['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION'], 'expired'],
    ['trial_conversion', 40, ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'], 'active'],
    ['renewal', 40, ['INITIAL_PURCHASE', 'RENEWAL', 'RENEWAL'], 'active'],
    ['cancel', 40, ['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION'], 'active'],
    ['refund', 40, ['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION', 'EXPIRATION'], 'expired'],
    ['product_change_deferred', 40, ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'RENEWAL'], 'active'],
    ['pause', 40, ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED', 'EXPIRATION'], 'paused'],
    ['pause', 70, ['INITIAL_PURCHASE', 'SUBSCRIPTION_PAUSED', 'EXPIRATION', 'RENEWAL'], 'active'],
    [
      'billing_issue',
      40,
      ['INITIAL_PURCHASE', 'RENEWAL', 'BILLING_ISSUE', 'CANCELLATION', 'EXPIRATION'],
      'in_billing_retry',
    ],
    [
      'billing_recovery',
      40,
      ['INITIAL_PURCHASE', 'RENEWAL', 'BILLING_ISSUE', 'CANCELLATION', 'RENEWAL'],
      'active',
    ],
  ])('%s that began %d days earlier emits %j and ends %s', (scenario, days, types, status) => {
    const startMs = latestStart(scenario, monthly, NOW_MS) - days * DAY_MS;
    expect(play(scenario, { startMs })).toMatchObject({ types, status });
  });

  it('has a free trial with one conversion', () => {
    const { events } = play('trial_conversion');
    expect(events[0]).toMatchObject({ periodType: 'trial', price: { amountMicros: 0 } });
    expect(events[1]).toMatchObject({ isTrialConversion: true, price: { amountMicros: 9_990_000 } });
  });

  it("uses a product's own trial and period length", () => {
    const product = { ...monthly, duration: 'P1W', trialDuration: 'P3D' };
    expect(play('trial_conversion', { product }).events[0]?.purchasedAtMs).toBe(NOW_MS - 3 * DAY_MS);
    expect(play('renewal', { product }).events[0]?.purchasedAtMs).toBe(NOW_MS - 7 * DAY_MS);
  });

  it('periods follow the calendar of the first one', () => {
    const startMs = Date.UTC(2026, 0, 31, 12);
    const { ledger } = play('renewal', { startMs });
    const ends = ledger.map(({ expiresAtMs }) => new Date(expiresAtMs ?? 0).toISOString().slice(0, 10));
    expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
    expect(ledger.map(({ periodKey }) => periodKey)).toEqual(['token', 'token..0', 'token..1', 'token..2']);
  });

  it('refuses too many renewals', () => {
    const product = { ...monthly, duration: 'PT5M' };
    expect(() => play('renewal', { product, startMs: NOW_MS - 730 * DAY_MS })).toThrow(ImpossibleScenario);
  });

  it('keeps one purchase, times that never go back, and money that adds up in any scenario at any time', () => {
    const cases = fc.record({
      scenario: fc.constantFrom(...scenarios),
      days: fc.integer({ min: 0, max: 730 }),
      nowMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) }),
      duration: fc.constantFrom('P1W', 'P1M', 'P3M', 'P1Y'),
    });
    fc.assert(
      fc.property(cases, ({ scenario, days, nowMs, duration }) => {
        const product = { ...monthly, duration };
        const startMs = latestStart(scenario, product, nowMs) - days * DAY_MS;
        const { types, events, ledger } = play(scenario, { product, startMs, nowMs });
        const count = (type: string) => types.filter((known) => known === type).length;
        const charges = ledger.filter(({ kind }) => ['purchase', 'renewal', 'trial_start'].includes(kind));
        const times = events.map(({ occurredAtMs }) => occurredAtMs);
        expect(types[0]).toBe('INITIAL_PURCHASE');
        expect(count('INITIAL_PURCHASE')).toBe(1);
        expect(count('RENEWAL')).toBe(charges.length - 1);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(events.every(({ delivery }) => delivery === 'send')).toBe(true);
        const refunds = ledger.filter(({ kind }) => kind === 'refund').length;
        expect(refunds).toBe(scenario === 'refund' || scenario === 'refund_reversed' ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('acts on an existing subscription', () => {
  it('moves a subscription through all its states', () => {
    let report = play('purchase');
    const walk = (what: Act): string[] => (report = act(report, what)).types;
    expect(walk('cancel')).toEqual(['CANCELLATION']);
    expect(walk('cancel')).toEqual([]);
    expect(walk('uncancel')).toEqual(['UNCANCELLATION']);
    expect(walk('uncancel')).toEqual([]);
    expect(walk('renewal')).toEqual(['RENEWAL']);
    expect(walk('billing_issue')).toEqual(['BILLING_ISSUE', 'CANCELLATION']);
    expect(walk('billing_issue')).toEqual([]);
    expect(walk('billing_recovery')).toEqual(['RENEWAL']);
    expect(walk('product_change')).toEqual(['PRODUCT_CHANGE', 'RENEWAL']);
    expect(walk('expire')).toEqual(['CANCELLATION', 'EXPIRATION']);
    expect(report.status).toBe('expired');
    expect(walk('renewal')).toEqual(['RENEWAL']);
    expect(walk('refund')).toEqual(['CANCELLATION', 'EXPIRATION']);
  });

  it('adds a period to the current one on renewal, even in grace', () => {
    const { events, subscription } = act(play('purchase'), 'renewal');
    const month = paidPeriod({ duration: 'P1M' });
    expect(events[0]).toMatchObject({ type: 'RENEWAL', expirationAtMs: addPeriods(NOW_MS, month, 2) });
    expect(subscription.facts.periods['token..0']).toBeDefined();
    const recovered = act(play('billing_issue'), 'billing_recovery');
    expect(recovered.events[0]?.purchasedAtMs).toBe(NOW_MS);
  });

  it.each<[Scenario, Act]>([
    ['expire', 'cancel'],
    ['expire', 'uncancel'],
    ['expire', 'expire'],
    ['expire', 'billing_issue'],
    ['expire', 'product_change'],
    ['refund', 'refund'],
    ['purchase', 'billing_recovery'],
    ['cancel', 'renewal'],
    ['cancel', 'billing_issue'],
  ])('rejects after %s: %s', (scenario, what) => {
    expect(() => act(play(scenario), what)).toThrow(ImpossibleScenario);
  });

  it('emits no end twice and renews nothing cancelled, in any sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...acts), { maxLength: 12 }), (walk) => {
        let report = play('purchase');
        const types: string[] = [...report.types];
        for (const [index, what] of walk.entries()) {
          try {
            report = act(report, what, NOW_MS + index);
          } catch (error) {
            expect(error).toBeInstanceOf(ImpossibleScenario);
            continue;
          }
          types.push(...report.types);
        }
        const openings = types.filter((type) => ['INITIAL_PURCHASE', 'RENEWAL'].includes(type)).length;
        const ends = types.filter((type) => type === 'EXPIRATION').length;
        expect(ends).toBeLessThanOrEqual(openings);
      }),
    );
  });
});
