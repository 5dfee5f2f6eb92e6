import fc from 'fast-check';
import {
  applyChain,
  applyOneTime,
  type Chain,
  type ChainFacts,
  deriveChain,
  type EngineEvent,
  type LedgerEntry,
  mergeChainFacts,
  newChain,
  newOneTimePurchase,
  noChainFacts,
  noOneTimeFacts,
  type Observation,
  type PeriodFact,
  resolveEntitlements,
} from './index.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 31);
const identity = { id: 'sub_1', store: 'test_store', environment: 'sandbox', chainKey: 'token' } as const;

function period(index: number, change: Partial<PeriodFact> = {}): PeriodFact {
  return {
    storeProductId: 'pro',
    planId: null,
    offerCode: null,
    kind: 'normal',
    isRenewal: index > 0,
    startMs: START_MS + index * 30 * DAY_MS,
    endMs: START_MS + (index + 1) * 30 * DAY_MS,
    price: { amountMicros: 9_990_000, currency: 'USD', source: 'catalog' },
    quantity: 1,
    ownership: 'purchased',
    storeTransactionId: `token..${index}`,
    country: null,
    ...change,
  };
}

/** What a store says at `atMs` about one period, a refund of it, or the renewal. */
function saying(atMs: number, facts: Partial<ChainFacts>): Observation<ChainFacts> {
  return { atMs, facts: { ...noChainFacts, ...facts } };
}

function boughtPeriod(index: number, change: Partial<PeriodFact> = {}): Observation<ChainFacts> {
  const value = period(index, change);
  return saying(value.startMs, { periods: { [`p${index}`]: { at: value.startMs, src: 'signed', value } } });
}

interface Life {
  chain: Chain;
  ledger: LedgerEntry[];
  events: EngineEvent[];
}

/** Applies observations one after the other, each at `nowMs`. */
function live(observations: Observation<ChainFacts>[], nowMs: number): Life {
  const life: Life = { chain: newChain(identity), ledger: [], events: [] };
  for (const observation of observations) {
    const change = applyChain(life.chain, observation, nowMs);
    life.chain = change.chain;
    life.ledger.push(...change.ledger);
    life.events.push(...change.events);
  }
  return life;
}

const sortedLedger = (ledger: LedgerEntry[]): LedgerEntry[] =>
  ledger.toSorted((a, b) => (a.periodKey + a.kind < b.periodKey + b.kind ? -1 : 1));

/** Periods 0..n, some refunded, auto-renew on or off: what stores can say of one life. */
const histories = fc
  .record({
    count: fc.integer({ min: 1, max: 5 }),
    trial: fc.boolean(),
    refunded: fc.array(fc.nat({ max: 4 }), { maxLength: 2 }),
    cancelled: fc.boolean(),
  })
  .map(({ count, trial, refunded, cancelled }) => {
    const periods = Array.from({ length: count }, (_, index) =>
      boughtPeriod(index, trial && index === 0 ? { kind: 'trial' } : {}),
    );
    const refunds = refunded
      .filter((index) => index < count)
      .map((index) => {
        const at = START_MS + index * 30 * DAY_MS + DAY_MS;
        const value = { revokedAtMs: at, kind: 'full', amountMicros: null } as const;
        return saying(at, { refunds: { [`p${index}`]: { at, src: 'signed', value } } });
      });
    const renewalAt = START_MS + count * 30 * DAY_MS - DAY_MS;
    const renewal = saying(renewalAt, {
      renewal: {
        at: renewalAt,
        src: 'api',
        value: {
          autoRenew: !cancelled,
          cancelledAtMs: cancelled ? renewalAt : null,
          nextProductId: null,
          inRetry: false,
          billingIssueAtMs: null,
          graceUntilMs: null,
          pauseScheduled: false,
          paused: false,
          autoResumeAtMs: null,
        },
      },
    });
    return { periods, all: [...periods, ...refunds, renewal] };
  });

const moments = fc.integer({ min: 0, max: 200 }).map((days) => START_MS + days * DAY_MS);

describe('facts', () => {
  it('merge to the same result in any order and any repetition', () => {
    fc.assert(
      fc.property(
        histories.chain(({ all }) =>
          fc.tuple(
            fc.shuffledSubarray(all, { minLength: all.length }),
            fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
          ),
        ),
        ([once, twice]) => {
          const merge = (list: Observation<ChainFacts>[]): ChainFacts =>
            list.reduce((facts, { facts: more }) => mergeChainFacts(facts, more), noChainFacts);
          expect(merge(twice)).toEqual(merge(once));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('merge associatively, whatever the sources and times', () => {
    const register = fc.record({
      at: fc.integer({ min: 0, max: 3 }),
      src: fc.constantFrom('signed' as const, 'api' as const, 'device' as const),
      value: fc.record({ presentedOfferingId: fc.constantFrom('a', 'b', null) }),
    });
    fc.assert(
      fc.property(register, register, register, (a, b, c) => {
        const [x, y, z] = [a, b, c].map((hints) => ({ ...noChainFacts, hints })) as [
          ChainFacts,
          ChainFacts,
          ChainFacts,
        ];
        expect(mergeChainFacts(mergeChainFacts(x, y), z)).toEqual(mergeChainFacts(x, mergeChainFacts(y, z)));
        expect(mergeChainFacts(x, y)).toEqual(mergeChainFacts(y, x));
        expect(mergeChainFacts(x, x)).toEqual(x);
      }),
    );
  });
});

describe('a chain', () => {
  it('ends in the same state, with the same money, whatever order the facts come in and how often', () => {
    fc.assert(
      fc.property(
        histories.chain((history) =>
          fc.tuple(
            fc.constant(history),
            // A store tells of a period before anything about it can be asked for; the periods come in any order.
            fc.shuffledSubarray([...history.periods, ...history.periods], {
              minLength: history.periods.length * 2,
            }),
            fc.shuffledSubarray([...history.all, ...history.all], { minLength: history.all.length * 2 }),
            moments,
          ),
        ),
        ([history, periods, rest, nowMs]) => {
          const straight = live(history.all, nowMs);
          const shuffled = live([...periods, ...rest], nowMs);
          expect(shuffled.chain.facts).toEqual(straight.chain.facts);
          expect(deriveChain(shuffled.chain.facts, nowMs)).toEqual(deriveChain(straight.chain.facts, nowMs));
          expect(sortedLedger(shuffled.ledger)).toEqual(sortedLedger(straight.ledger));
          expect(shuffled.events.filter(({ type }) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
          expect(shuffled.events.filter(({ type }) => type === 'RENEWAL')).toHaveLength(
            history.periods.length - 1,
          );
          expect(new Set(shuffled.events.map(({ dedupeKey }) => dedupeKey)).size).toBe(
            shuffled.events.length,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('changes nothing when the same is said again', () => {
    fc.assert(
      fc.property(histories, moments, ({ all }, nowMs) => {
        const { chain } = live(all, nowMs);
        for (const observation of all) {
          const again = applyChain(chain, observation, nowMs);
          expect([again.changed, again.ledger, again.events]).toEqual([false, [], []]);
          expect(again.chain).toBe(chain);
        }
      }),
    );
  });

  it('gives access exactly until the end of access, and loses it at most once without a new fact', () => {
    fc.assert(
      fc.property(histories, ({ all }) => {
        const { chain } = live(all, START_MS);
        const access = Array.from({ length: 220 }, (_, day) => {
          const nowMs = START_MS + day * DAY_MS;
          const state = deriveChain(chain.facts, nowMs);
          const cut = state.refundedAtMs !== null;
          expect(state.givesAccess).toBe(!cut && nowMs < (state.accessEndsAtMs ?? Infinity));
          expect(state.accessEndsAtMs).toBeGreaterThanOrEqual(state.startedAtMs);
          return state.givesAccess;
        });
        expect(access.lastIndexOf(true)).toBeLessThan(
          access.indexOf(false) === -1 ? 220 : access.indexOf(false),
        );
      }),
    );
  });

  it('tells of its end once, after the last opening, when its life is over', () => {
    const { chain, events } = live([boughtPeriod(0)], START_MS);
    expect(events.map(({ type }) => type)).toEqual(['INITIAL_PURCHASE']);
    const end = applyChain(chain, null, START_MS + 30 * DAY_MS);
    expect(end.events.map(({ type }) => type)).toEqual(['CANCELLATION', 'EXPIRATION']);
    expect(applyChain(end.chain, null, START_MS + 31 * DAY_MS).changed).toBe(false);
  });

  it('first seen when it is over has its whole story told at once', () => {
    const { events } = live([boughtPeriod(0)], START_MS + 90 * DAY_MS);
    expect(events.map(({ type }) => type)).toEqual(['INITIAL_PURCHASE', 'CANCELLATION', 'EXPIRATION']);
  });

  it('converts its trial with a RENEWAL, and costs nothing until then', () => {
    const trial = applyChain(newChain(identity), boughtPeriod(0, { kind: 'trial' }), START_MS);
    const paid = applyChain(trial.chain, boughtPeriod(1), START_MS + 30 * DAY_MS);
    const events = [...trial.events, ...paid.events];
    const ledger = [...trial.ledger, ...paid.ledger];
    expect(events).toMatchObject([
      { type: 'INITIAL_PURCHASE', periodType: 'trial', price: { amountMicros: 0 } },
      { type: 'RENEWAL', isTrialConversion: true, price: { amountMicros: 9_990_000 }, renewalNumber: 2 },
    ]);
    expect(ledger.map(({ kind, price }) => [kind, price.amountMicros])).toEqual([
      ['trial_start', 0],
      ['renewal', 9_990_000],
    ]);
  });

  it.each([
    [0, 'active', true],
    [29, 'active', true],
    [30, 'expired', false],
  ])('on day %i is %s', (day, status, givesAccess) => {
    const { chain } = live([boughtPeriod(0)], START_MS);
    expect(deriveChain(chain.facts, START_MS + day * DAY_MS)).toMatchObject({ status, givesAccess });
  });
});

describe('a one-time purchase', () => {
  const observation = (productId: string) => ({
    atMs: START_MS,
    facts: {
      ...noOneTimeFacts,
      purchase: {
        at: START_MS,
        src: 'signed' as const,
        value: {
          storeProductId: productId,
          purchasedAtMs: START_MS,
          expiresAtMs: null,
          price: { amountMicros: 990_000, currency: 'USD', source: 'catalog' as const },
          quantity: 1,
          ownership: 'purchased' as const,
          storeTransactionId: 'token',
          country: null,
        },
      },
    },
  });
  const fresh = newOneTimePurchase({
    id: 'purch_1',
    store: 'test_store',
    environment: 'sandbox',
    purchaseKey: 'token',
  });

  it('is told and booked once', () => {
    const first = applyOneTime(fresh, observation('coins'));
    expect(first.events.map(({ type }) => type)).toEqual(['NON_RENEWING_PURCHASE']);
    expect(first.ledger.map(({ kind }) => kind)).toEqual(['one_time']);
    expect(applyOneTime(first.purchase, observation('coins')).changed).toBe(false);
  });
});

describe('entitlements', () => {
  const pro = [{ id: 'entl1', lookupKey: 'pro' }];
  const chain = (id: string, endMs: number | null, startMs = START_MS) => {
    const facts = boughtPeriod(0, { startMs, endMs, storeProductId: id }).facts;
    return { id, entitlements: pro, state: deriveChain(facts, START_MS) };
  };

  it('rest on the purchase that lasts longest, then on the later one', () => {
    const until = (days: number): number => START_MS + days * DAY_MS;
    const winner = (...sources: ReturnType<typeof chain>[]): string | undefined =>
      resolveEntitlements(sources, [], START_MS)[0]?.storeProductId;
    expect(winner(chain('short', until(1)), chain('long', until(2)))).toBe('long');
    expect(winner(chain('ever', null), chain('long', until(999)))).toBe('ever');
    expect(winner(chain('late', until(2), START_MS), chain('early', until(2), START_MS - 1))).toBe('late');
  });

  it('stay listed after their end, and are the same in any order of the purchases', () => {
    const sources = [chain('a', START_MS - 1, START_MS - 2), chain('b', START_MS - 1, START_MS - 2)];
    const [entitlement] = resolveEntitlements(sources, [], START_MS);
    expect(entitlement).toMatchObject({ active: false, expiresAtMs: START_MS - 1, lookupKey: 'pro' });
    expect(resolveEntitlements(sources.toReversed(), [], START_MS)).toEqual([entitlement]);
  });
});
