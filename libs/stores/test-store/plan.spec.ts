import fc from 'fast-check';
import {
  applySubscription,
  type Subscription,
  deriveState,
  newSubscription,
  passTime,
} from '../../engine/index.js';
import { type Plan, plannedStatement, planOutcomes, type PlanTerms, testStore } from '../index.js';
import type { RenewalLimits } from './plan.js';
import { renewalSaid } from './statements.js';

const START_MS = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function termsOf(duration: string, graceDuration: string | null = null): PlanTerms {
  const price = { amountMicros: 9_990_000, currency: 'USD' };
  return {
    product: { storeIdentifier: 'p', type: 'subscription', duration, trialDuration: null, price },
    price: { ...price, source: 'catalog' },
    graceDuration,
  };
}

async function bought(terms: PlanTerms, trialDuration: string | null = null): Promise<Subscription> {
  const receipt = {
    fetchToken: `test_${START_MS}_x`,
    productIds: ['p'],
    price: null,
    country: null,
    presentedOfferingId: null,
  };
  const verified = await testStore.verify(receipt, {
    nowMs: START_MS,
    product: () => ({ ...terms.product, trialDuration }),
    hadProduct: () => false,
  });
  if (verified.failure !== null) throw new Error(verified.message);
  const [purchase] = verified.purchases;
  if (purchase?.kind !== 'subscription') throw new Error('a subscription is a subscription');
  const identity = { id: 'sub_1', store: 'test_store', environment: 'sandbox', storeKey: 'token' } as const;
  return applySubscription(newSubscription(identity), purchase.observation, START_MS).subscription;
}

/** Follows a plan up to a time; returns the events with their days, and the subscription. */
function live(
  first: Subscription,
  plan: Plan,
  terms: PlanTerms,
  untilMs: number,
  { fromMs = START_MS, ...limits }: RenewalLimits & { fromMs?: number } = {},
) {
  const reportOf = (subscription: Subscription) => plannedStatement(subscription, plan, terms, limits);
  const dueAtMs = applySubscription(first, null, fromMs).state.nextDueAtMs;
  const { steps } = passTime([{ subscription: first, dueAtMs }], untilMs, { reportOf, fromMs });
  const report = steps.flatMap(({ atMs, change }) =>
    change.events.map(({ type, cancelReason, expirationReason }) => {
      const reason = cancelReason ?? expirationReason;
      return `${iso(atMs)} ${type}${reason ? `/${reason}` : ''}`;
    }),
  );
  return { subscription: steps.at(-1)?.change.subscription ?? first, report };
}

describe('the plan of a Test Store subscription', () => {
  it('renews by the calendar of the first period', async () => {
    const terms = termsOf('P1M');
    const { report } = live(await bought(terms), ['renew'], terms, Date.UTC(2026, 4, 1));
    expect(report).toEqual(['2026-02-28 RENEWAL', '2026-03-31 RENEWAL', '2026-04-30 RENEWAL']);
  });

  it('renews a trial into a paid period', async () => {
    const terms = termsOf('P1M');
    const { subscription, report } = live(
      await bought(terms, 'P1W'),
      ['renew'],
      terms,
      START_MS + 8 * DAY_MS,
    );
    expect(report).toEqual(['2026-02-07 RENEWAL']);
    expect(deriveState(subscription.facts, START_MS + 8 * DAY_MS)).toMatchObject({
      status: 'active',
      periodType: 'normal',
      price: { amountMicros: 9_990_000 },
    });
  });

  it.each<[Plan, string | null, string[]]>([
    [['cancel'], null, ['2026-02-14 CANCELLATION/UNSUBSCRIBE', '2026-02-28 EXPIRATION/UNSUBSCRIBE']],
    [
      ['renew', 'cancel'],
      null,
      ['2026-02-28 RENEWAL', '2026-03-16 CANCELLATION/UNSUBSCRIBE', '2026-03-31 EXPIRATION/UNSUBSCRIBE'],
    ],
    [
      ['billing_issue'],
      'P3D',
      [
        '2026-02-28 BILLING_ISSUE',
        '2026-02-28 CANCELLATION/BILLING_ERROR',
        '2026-03-03 EXPIRATION/BILLING_ERROR',
      ],
    ],
    [
      ['billing_issue'],
      null,
      [
        '2026-02-28 BILLING_ISSUE',
        '2026-02-28 CANCELLATION/BILLING_ERROR',
        '2026-02-28 EXPIRATION/BILLING_ERROR',
      ],
    ],
    [
      ['billing_recovery', 'cancel'],
      'P3D',
      [
        '2026-02-28 BILLING_ISSUE',
        '2026-02-28 CANCELLATION/BILLING_ERROR',
        '2026-03-01 RENEWAL',
        '2026-03-16 CANCELLATION/UNSUBSCRIBE',
        '2026-03-31 EXPIRATION/UNSUBSCRIBE',
      ],
    ],
    [
      ['billing_recovery', 'cancel'],
      null,
      [
        '2026-02-28 BILLING_ISSUE',
        '2026-02-28 CANCELLATION/BILLING_ERROR',
        '2026-02-28 EXPIRATION/BILLING_ERROR',
        '2026-03-01 RENEWAL',
        '2026-03-17 CANCELLATION/UNSUBSCRIBE',
        '2026-04-01 EXPIRATION/UNSUBSCRIBE',
      ],
    ],
  ])('%j with grace %s', async (plan, grace, expected) => {
    const terms = termsOf('P1M', grace);
    const { subscription, report } = live(await bought(terms), plan, terms, START_MS + 400 * DAY_MS);
    expect(report).toEqual(expected);
    expect(deriveState(subscription.facts, START_MS + 400 * DAY_MS).givesAccess).toBe(false);
    expect(plannedStatement(subscription, plan, terms)).toBeNull();
  });

  it('ends after the maximum number of renewals, cancelled with the last', async () => {
    const terms = termsOf('P1M');
    const limits = { maxRenewals: 2, aheadMs: 10_000 };
    const { subscription, report } = live(
      await bought(terms),
      ['renew'],
      terms,
      START_MS + 400 * DAY_MS,
      limits,
    );
    expect(report).toEqual([
      '2026-02-28 RENEWAL',
      '2026-03-31 RENEWAL',
      '2026-03-31 CANCELLATION/UNSUBSCRIBE',
      '2026-04-30 EXPIRATION/UNSUBSCRIBE',
    ]);
    expect(Object.keys(subscription.facts.periods)).toHaveLength(3);
  });

  it('reports a renewal that long ahead, but not before its period began', async () => {
    const month = termsOf('P1M');
    const minute = termsOf('PT5S');
    const [endMs, shortMs] = [Date.UTC(2026, 1, 28, 12), START_MS + 5_000];
    const sayAt = async (terms: PlanTerms): Promise<number | undefined> =>
      plannedStatement(await bought(terms), ['renew'], terms, { aheadMs: 10_000 })?.atMs;
    expect([await sayAt(month), await sayAt(minute)]).toEqual([endMs - 10_000, shortMs - 5_000]);
  });

  it('leaves no gap when it renews ahead: each period begins where the previous one ends', async () => {
    const terms = termsOf('P1M');
    const { subscription } = live(await bought(terms), ['renew'], terms, Date.UTC(2026, 1, 28, 12) - 1, {
      aheadMs: 10_000,
    });
    const endMs = Date.UTC(2026, 1, 28, 12);
    expect(
      [endMs - 1, endMs, endMs + 1].map((ms) => deriveState(subscription.facts, ms).givesAccess),
    ).toEqual([true, true, true]);
    expect(subscription.facts.periods['token..0']?.value.startMs).toBe(endMs);
  });

  it('ends a pause as announced, and never one without an end', async () => {
    const terms = termsOf('P1M');
    const first = await bought(terms);
    const paused = (autoResumeAtMs: number | null) =>
      applySubscription(
        first,
        renewalSaid(first.facts, START_MS + DAY_MS, { pauseScheduled: true, autoResumeAtMs }),
        START_MS + DAY_MS,
      ).subscription;
    const untilMs = Date.UTC(2026, 4, 1);
    expect(live(paused(Date.UTC(2026, 3, 15)), ['renew'], terms, untilMs).report).toEqual([
      '2026-02-28 EXPIRATION/SUBSCRIPTION_PAUSED',
      '2026-04-15 RENEWAL',
    ]);
    expect(live(paused(null), ['renew'], terms, untilMs).report).toEqual([
      '2026-02-28 EXPIRATION/SUBSCRIPTION_PAUSED',
    ]);
  });

  it('gives the same result in one advance as in many, and always progresses', async () => {
    const plans = fc.array(fc.constantFrom(...planOutcomes), { minLength: 1, maxLength: 5 });
    const durations = fc.constantFrom('P3D', 'P1W', 'P1M', 'P1Y');
    const graces = fc.constantFrom(null, 'PT6H', 'P3D', 'P16D');
    const jumps = fc.array(fc.integer({ min: 0, max: 800 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plans, durations, graces, jumps, async (plan, duration, grace, days) => {
        const terms = termsOf(duration, grace);
        const first = await bought(terms);
        const untilMs = START_MS + 800 * DAY_MS;
        const once = live(first, plan, terms, untilMs);
        let subscription = first;
        let fromMs = START_MS;
        for (const day of days.toSorted((a, b) => a - b)) {
          ({ subscription } = live(subscription, plan, terms, START_MS + day * DAY_MS, { fromMs }));
          fromMs = START_MS + day * DAY_MS;
        }
        expect(live(subscription, plan, terms, untilMs, { fromMs }).subscription).toEqual(once.subscription);
        if (plan.at(-1) === 'renew' && !plan.includes('cancel') && !plan.includes('billing_issue')) {
          expect(deriveState(once.subscription.facts, untilMs).givesAccess).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
