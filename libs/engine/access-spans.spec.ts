import fc from 'fast-check';
import {
  accessSpans,
  type SubscriptionFacts,
  deriveState,
  noSubscriptionFacts,
  type PeriodFact,
  type RefundFact,
  type RenewalFact,
} from './index.js';

const HOUR_MS = 3_600_000;
const quiet: RenewalFact = {
  autoRenew: true,
  cancelledAtMs: null,
  nextProductId: null,
  inRetry: false,
  billingIssueAtMs: null,
  graceUntilMs: null,
  pauseScheduled: false,
  paused: false,
  autoResumeAtMs: null,
};

const at = <T>(value: T) => ({ at: 1, src: 'signed' as const, value });

function period(startMs: number, endMs: number | null, kind: PeriodFact['kind'] = 'normal'): PeriodFact {
  return {
    storeProductId: 'pro',
    planId: null,
    offerCode: null,
    kind,
    isRenewal: false,
    startMs,
    endMs,
    price: { amountMicros: 1, currency: 'USD', source: 'store' },
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: String(startMs),
    country: null,
  };
}

function factsOf(periods: PeriodFact[], more: Partial<SubscriptionFacts> = {}): SubscriptionFacts {
  const keyed = periods.map((fact, index) => [`p${index}`, at(fact)]);
  return {
    ...noSubscriptionFacts,
    periods: Object.fromEntries(keyed) as SubscriptionFacts['periods'],
    ...more,
  };
}

const spansOf = (facts: SubscriptionFacts) =>
  accessSpans(facts).map(({ periodKey, startMs, endMs }) => [periodKey, startMs, endMs]);

describe('the access history of a subscription', () => {
  it('has one span for each period', () => {
    const facts = factsOf([period(0, 10, 'trial'), period(10, 20), period(30, null)]);
    expect(spansOf(facts)).toEqual([
      ['p0', 0, 10],
      ['p1', 10, 20],
      ['p2', 30, null],
    ]);
    expect(spansOf(noSubscriptionFacts)).toEqual([]);
  });

  it('does not overlap when a product change begins inside a period', () => {
    expect(spansOf(factsOf([period(0, 100), period(40, 140)]))).toEqual([
      ['p0', 0, 40],
      ['p1', 40, 140],
    ]);
  });

  it('continues in grace, and only in the latest period', () => {
    const renewal = at({ ...quiet, periodKey: 'p1', inRetry: true, graceUntilMs: 26 });
    expect(accessSpans(factsOf([period(0, 10), period(10, 20)], { renewal }))).toEqual([
      { periodKey: 'p0', startMs: 0, endMs: 10, periodEndMs: 10 },
      { periodKey: 'p1', startMs: 10, endMs: 26, periodEndMs: 20 },
    ]);
  });

  it('ends with a full refund of its period, but not with a partial one', () => {
    const refund = (kind: RefundFact['kind'], revokedAtMs: number | null) =>
      at({ revokedAtMs, kind, amountMicros: null });
    const refunds = { p0: refund('full', 4), p1: refund('partial', 15), p2: refund('prorated', 22) };
    const facts = factsOf([period(0, 10), period(10, 20), period(20, 30)], { refunds });
    expect(spansOf(facts)).toEqual([
      ['p0', 0, 4],
      ['p1', 10, 20],
      ['p2', 20, 22],
    ]);
    const reversed = { refunds: { p0: refund('full', null) } };
    expect(spansOf(factsOf([period(0, 10)], reversed))).toEqual([['p0', 0, 10]]);
  });

  it('ends when another subscription takes over, and is empty while the payment is pending', () => {
    const replaced = at({ byStoreKey: 'other', atMs: 6 });
    expect(spansOf(factsOf([period(0, 10)], { replaced }))).toEqual([['p0', 0, 6]]);
    expect(spansOf(factsOf([period(0, 10)], { replaced: at({ byStoreKey: 'other', atMs: 0 }) }))).toEqual([]);
    expect(spansOf(factsOf([period(0, 10)], { pending: at(true) }))).toEqual([]);
  });

  it('agrees with the state of the subscription at every time', () => {
    const hours = fc.integer({ min: 0, max: 100 });
    const arbitraryFacts = fc
      .record({
        lengths: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        refundedAt: fc.option(hours),
        replacedAt: fc.option(hours),
        grace: fc.option(hours),
        pending: fc.boolean(),
      })
      .map(({ lengths, refundedAt, replacedAt, grace, pending }) => {
        let startMs = 0;
        const periods = lengths.map((length) => {
          const made = period(startMs, startMs + length * HOUR_MS);
          startMs += length * HOUR_MS;
          return made;
        });
        const lastKey = `p${periods.length - 1}`;
        const revokedAtMs = refundedAt === null ? null : refundedAt * HOUR_MS;
        return factsOf(periods, {
          refunds:
            refundedAt === null ? {} : { [lastKey]: at({ revokedAtMs, kind: 'full', amountMicros: null }) },
          replaced: replacedAt === null ? null : at({ byStoreKey: 'other', atMs: replacedAt * HOUR_MS }),
          renewal: at({
            ...quiet,
            inRetry: grace !== null,
            graceUntilMs: grace === null ? null : grace * HOUR_MS,
          }),
          pending: at(pending),
        });
      });
    fc.assert(
      fc.property(arbitraryFacts, hours, (facts, hour) => {
        // Refunds and replacements end access in the past, but a state only contains what applies from then on.
        const cuts = [...Object.values(facts.refunds).map(({ value }) => value.revokedAtMs)];
        const cutMs = Math.max(0, ...cuts.filter((cut) => cut !== null), facts.replaced?.value.atMs ?? 0);
        const latestStartMs = Math.max(...Object.values(facts.periods).map(({ value }) => value.startMs));
        const nowMs = Math.max(hour * HOUR_MS, cutMs, latestStartMs);
        const holding = accessSpans(facts).filter(
          ({ startMs, endMs }) => startMs <= nowMs && (endMs === null || nowMs < endMs),
        );
        expect(holding.length).toBe(deriveState(facts, nowMs).givesAccess ? 1 : 0);
      }),
    );
  });

  it('covers the grace of an earlier period, but not beyond the start of the next one', () => {
    const spans = (graceMs: number, nextMs: number) =>
      accessSpans(
        factsOf([period(0, 100), period(nextMs, 1_000)], { ends: { p0: { grace: at(graceMs) } } }),
      ).map(({ startMs, endMs }) => [startMs, endMs]);
    expect(spans(160, 500)[0]).toEqual([0, 160]);
    expect(spans(60, 500)[0]).toEqual([0, 100]);
    expect(spans(160, 130)[0]).toEqual([0, 130]);
  });
});
