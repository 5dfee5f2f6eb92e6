import fc from 'fast-check';
import {
  applySubscription,
  deriveState,
  effectiveFacts,
  foldSubscriptions,
  type ImportedFacts,
  importSubscription,
  type LedgerEntry,
  newSubscription,
  noSubscriptionFacts,
  type Price,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionFacts,
  viewSubscription,
} from './index.js';
import { day, periodFact, PRICE_MICROS, register, renewalFact } from './testing/subscription-history.js';

const identity = { id: 'sub_1', store: 'app_store', environment: 'production', storeKey: 't0' } as const;
const IMPORT_PRICE: Price = { amountMicros: 7_000_000, currency: 'USD', source: 'import' };
const NO_PRICE: Price = { amountMicros: null, currency: null, source: 'import' };

/** Periods by transaction id, in the form that another system reports them. */
function imported(
  asOf: number,
  indices: number[],
  more: Partial<ImportedFacts> = {},
  price = IMPORT_PRICE,
): SubscriptionFacts {
  const periods = indices.map((index) => [
    `t${index}`,
    register(asOf, periodFact(index, { price }), 'import'),
  ]);
  const last = Math.max(...indices);
  return {
    ...noSubscriptionFacts,
    imported: {
      periods: Object.fromEntries(periods) as ImportedFacts['periods'],
      refunds: {},
      renewal: register(asOf, renewalFact({ periodKey: `t${last}` }), 'import'),
      hints: null,
      ...more,
    },
  };
}

/** The same periods as reported by their store: under another key, with the same transaction id or start time. */
function verified(at: number, indices: number[], isNamed = true): SubscriptionFacts {
  const periods = indices.map((index) => {
    const startMs = day(index * 30) + (isNamed ? 0 : 60_000);
    const storeTransactionId = isNamed ? `t${index}` : `other${index}`;
    return [`w${index}`, register(at, periodFact(index, { startMs, storeTransactionId }))] as const;
  });
  return { ...noSubscriptionFacts, periods: Object.fromEntries(periods) };
}

type Step =
  | { kind: 'import'; facts: SubscriptionFacts; asOfMs: number }
  | { kind: 'store'; facts: SubscriptionFacts; atMs: number };

const NOW = day(130);

function run(steps: readonly Step[]): { subscription: Subscription; changes: SubscriptionChange[] } {
  let subscription: Subscription = newSubscription(identity);
  const changes: SubscriptionChange[] = [];
  for (const step of steps) {
    const change =
      step.kind === 'import'
        ? importSubscription(subscription, step.facts, NOW, { asOfMs: step.asOfMs, emits: false })
        : applySubscription(subscription, step, NOW);
    changes.push(change);
    subscription = change.subscription;
  }
  return { subscription, changes };
}

const sumOf = (ledger: LedgerEntry[]): number =>
  ledger.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
const moneyOf = (changes: SubscriptionChange[]): number => sumOf(changes.flatMap(({ ledger }) => ledger));

const indices = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 });
const stepWith = (prices: Price[]): fc.Arbitrary<Step> =>
  fc.oneof(
    fc
      .record({ indices, asOf: fc.integer({ min: 121, max: 129 }), price: fc.constantFrom(...prices) })
      .map(({ indices: own, asOf, price }): Step => ({
        kind: 'import',
        facts: imported(day(asOf), own, {}, price),
        asOfMs: day(asOf),
      })),
    fc
      .record({ indices, at: fc.integer({ min: 1, max: 129 }), isNamed: fc.boolean() })
      .map(({ indices: own, at, isNamed }): Step => ({
        kind: 'store',
        facts: verified(day(at), own, isNamed),
        atMs: day(at),
      })),
  );
const steps = fc.array(stepWith([IMPORT_PRICE, NO_PRICE]), { minLength: 1, maxLength: 6 });
/** One price only: a repeated import with the same content leaves no trace, so order would matter with several. */
const agreeing = fc.array(stepWith([IMPORT_PRICE]), { minLength: 1, maxLength: 6 });

describe('imported facts', () => {
  it('leads to the same state in any order, and again', () => {
    fc.assert(
      fc.property(
        agreeing.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const [a, b] = [run(all), run([...shuffled, ...shuffled])];
          const ofA = deriveState(a.subscription.facts, NOW);
          expect(deriveState(b.subscription.facts, NOW)).toEqual(ofA);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('charges them once, regardless of repetition and order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { subscription, changes } = run([...all, ...all]);
        const { all: periods } = viewSubscription(subscription.facts);
        const expected = periods.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
        expect(moneyOf(changes)).toBe(expected);
        expect(periods.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a known price when a later reading, or an earlier one that comes late, has none', () => {
    const priced = { kind: 'import', facts: imported(day(121), [0, 1]), asOfMs: day(121) } as const;
    const later = { kind: 'import', facts: imported(day(125), [1], {}, NO_PRICE), asOfMs: day(125) } as const;
    for (const order of [
      [priced, later, later],
      [later, priced, later],
    ]) {
      expect(moneyOf(run(order).changes)).toBe(2 * 7_000_000);
    }
  });

  it('emits none', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { changes } = run(all);
        const quiet = changes.filter((_, index) => all[index]?.kind === 'import');
        expect(quiet.flatMap(({ events }) => events)).toEqual([]);
        const told = changes.flatMap(({ events }) => events.map(({ dedupeKey }) => dedupeKey));
        expect(new Set(told).size).toBe(told.length);
      }),
      { numRuns: 500 },
    );
  });

  it('merges them with another half of the same subscription', () => {
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        const [a, b] = [run(one), run(other)];
        const folded = foldSubscriptions(a.subscription, b.subscription, NOW);
        expect(folded.events).toEqual([]);
        const { all: periods } = viewSubscription(folded.subscription.facts);
        const expected = periods.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
        expect(moneyOf([...a.changes, ...b.changes, folded])).toBe(expected);
        const together = run([...one, ...other]).subscription;
        expect(deriveState(folded.subscription.facts, NOW)).toEqual(deriveState(together.facts, NOW));
      }),
      { numRuns: 500 },
    );
  });

  it('never count before what a store says, whatever their times', () => {
    const store: Step = { kind: 'store', facts: verified(day(1), [0]), atMs: day(1) };
    const later = imported(day(20), [0], {
      periods: { t0: register(day(20), periodFact(0, { endMs: day(2) }), 'import') },
      ends: { t0: { expired: register(day(20), day(2), 'import') } },
    });
    for (const all of [[store], [store].reverse()]) {
      const both = run([...all, { kind: 'import', facts: later, asOfMs: day(20) }]).subscription.facts;
      expect(deriveState(both, day(10))).toMatchObject({ givesAccess: true, periodEndsAtMs: day(30) });
    }
  });

  it('keeps the imported price where the store has none, and corrects it where it has', () => {
    const unpriced = verified(day(125), [0]);
    const period = unpriced.periods.w0;
    if (!period) throw new Error('no period');
    const price: Price = { amountMicros: null, currency: null, source: 'unknown' };
    const without = { ...unpriced, periods: { w0: { ...period, value: { ...period.value, price } } } };
    const first: Step = { kind: 'import', facts: imported(day(121), [0]), asOfMs: day(121) };
    expect(moneyOf(run([first, { kind: 'store', facts: without, atMs: day(125) }]).changes)).toBe(7_000_000);
    const { changes } = run([first, { kind: 'store', facts: unpriced, atMs: day(125) }]);
    expect(changes[1]?.ledger).toMatchObject([{ kind: 'correction', periodKey: 't0' }]);
    expect(moneyOf(changes)).toBe(PRICE_MICROS);
  });

  it('fills the gaps that the latest reading leaves, field by field and in any order', () => {
    const reading = (asOf: number, more: Partial<ReturnType<typeof periodFact>>, renewal = {}): Step => ({
      kind: 'import',
      asOfMs: day(asOf),
      facts: imported(day(asOf), [3], {
        periods: { t3: register(day(asOf), periodFact(3, { country: null, ...more }), 'import') },
        renewal: register(
          day(asOf),
          renewalFact({ periodKey: 't3', autoRenew: false, ...renewal }),
          'import',
        ),
      }),
    });
    const all = [
      reading(125, { kind: 'normal', assumed: ['kind', 'ownership'] }),
      reading(124, { country: 'FR', kind: 'trial' }, { cancelledAtMs: day(110) }),
      reading(123, { country: 'DE', kind: 'intro', ownership: 'family_shared' }, { cancelledAtMs: day(100) }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 3 }), (shuffled) => {
        const { subscription } = run([...shuffled, ...shuffled]);
        expect(deriveState(subscription.facts, NOW)).toMatchObject({
          country: 'FR',
          periodType: 'trial',
          ownership: 'purchased',
          unsubscribeAtMs: day(110),
        });
      }),
    );
  });

  it('keeps the end of a paused period that a later reading does not name, unless that is yet to come', () => {
    const paused = (asOf: number, endMs: number, assumed: ['endMs'] | []): Step => ({
      kind: 'import',
      asOfMs: day(asOf),
      facts: imported(day(asOf), [3], {
        periods: { t3: register(day(asOf), periodFact(3, { endMs, assumed }), 'import') },
        renewal: register(day(asOf), renewalFact({ periodKey: 't3', paused: true }), 'import'),
      }),
    });
    const known = paused(121, day(120), []);
    const again = paused(125, day(90), ['endMs']);
    for (const order of [
      [known, again],
      [again, known],
    ]) {
      const { subscription, changes } = run(order);
      expect(deriveState(subscription.facts, NOW)).toMatchObject({
        status: 'paused',
        periodEndsAtMs: day(120),
      });
      if (order[0] === known) expect(changes[1]?.changed).toBe(false);
    }
    const future = run([paused(121, day(140), []), again]).subscription;
    expect(deriveState(future.facts, NOW)).toMatchObject({ status: 'paused', givesAccess: false });
  });

  it('keeps the paid end of a refunded period that a later reading only guesses', () => {
    const reading = (asOf: number, endMs: number, isGuess: boolean): Step => ({
      kind: 'import',
      asOfMs: day(asOf),
      facts: imported(day(asOf), [3], {
        periods: {
          t3: register(
            day(asOf),
            periodFact(3, { endMs, assumed: isGuess ? ['endMs', 'length'] : [] }),
            'import',
          ),
        },
        renewal: register(day(asOf), renewalFact({ periodKey: 't3', ended: isGuess }), 'import'),
        ...(isGuess && {
          refunds: {
            t3: register(
              day(asOf),
              { revokedAtMs: day(124), kind: 'full' as const, amountMicros: null },
              'import',
            ),
          },
        }),
      }),
    });
    const { subscription } = run([reading(121, day(140), false), reading(125, day(150), true)]);
    const { givesAccess, periodEndsAtMs } = deriveState(subscription.facts, NOW);
    expect([givesAccess, periodEndsAtMs]).toEqual([false, day(140)]);
    expect(effectiveFacts(subscription.facts).periods.t3?.value.assumed).toBeUndefined();
  });

  it('holds access open only until a store reports', () => {
    const held = imported(day(121), [0], { held: register(day(121), day(90), 'import') });
    const { subscription } = run([{ kind: 'import', facts: held, asOfMs: day(20) }]);
    expect(deriveState(subscription.facts, day(40))).toMatchObject({
      status: 'active',
      givesAccess: true,
      periodEndsAtMs: day(30),
      accessEndsAtMs: day(90),
    });
    const known = applySubscription(subscription, { atMs: day(29), facts: verified(day(29), [0]) }, day(40));
    expect(known.state).toMatchObject({ givesAccess: false, accessEndsAtMs: day(30) });
    expect(effectiveFacts(known.subscription.facts).heldUntilMs).toBeUndefined();
  });
});
