import fc from 'fast-check';
import {
  type SubscriptionFacts,
  mergeSubscriptionFacts,
  mergeOneTimeFacts,
  noSubscriptionFacts,
  noOneTimeFacts,
  type OneTimeFacts,
  type PriceSource,
  type Register,
  type Source,
} from './index.js';
import { periodFact, renewalFact } from './testing/subscription-history.js';

const said = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Register<T>> =>
  fc.record({
    at: fc.integer({ min: 0, max: 3 }),
    src: fc.constantFrom<Source>('signed', 'api', 'notification_hint', 'device'),
    value,
  });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const price = fc.record({
  amountMicros: orNull(fc.constantFrom(0, 1_000_000, 2_000_000)),
  currency: fc.constantFrom('USD', 'EUR'),
  source: fc.constantFrom<PriceSource>('store', 'order', 'device', 'catalog', 'unknown'),
});
const period = price.map((value) => periodFact(0, { price: value }));
const keys = fc.constantFrom('p0', 'p1');
const keyed = <T>(value: fc.Arbitrary<T>) => fc.dictionary(keys, value, { maxKeys: 2 });

const statements: fc.Arbitrary<SubscriptionFacts> = fc.record(
  {
    periods: keyed(said(period)),
    refunds: keyed(
      said(
        fc.record({
          revokedAtMs: orNull(fc.constantFrom(1, 2)),
          kind: fc.constantFrom('full' as const, 'partial' as const),
          amountMicros: fc.constant(null),
        }),
      ),
    ),
    renewal: orNull(said(fc.boolean().map((autoRenew) => renewalFact({ autoRenew })))),
    replaced: orNull(
      said(fc.record({ byStoreKey: orNull(fc.constantFrom('a', 'b')), atMs: fc.constantFrom(1, 2) })),
    ),
    pending: orNull(said(fc.boolean())),
    hints: orNull(said(fc.record({ presentedOfferingId: fc.constantFrom('a', null) }))),
    ends: keyed(
      fc.record(
        { grace: said(fc.constantFrom(5, null)), expired: said(fc.constantFrom(6, null)) },
        { requiredKeys: [] },
      ),
    ),
    prices: keyed(said(price)),
    imported: fc.record(
      {
        periods: keyed(said(period)),
        refunds: fc.constant({}),
        renewal: orNull(said(fc.boolean().map((autoRenew) => renewalFact({ autoRenew })))),
        hints: orNull(said(fc.record({ presentedOfferingId: fc.constantFrom('a', null) }))),
        ends: fc.dictionary(keys, fc.record({ expired: said(fc.constantFrom(6, null)) }), { minKeys: 1 }),
        held: said(fc.constantFrom(7, null)),
        guessed: said(fc.boolean()),
        startedAtMs: fc.constantFrom(1, 2),
      },
      { requiredKeys: ['periods', 'refunds', 'renewal', 'hints'] },
    ),
  },
  { requiredKeys: ['periods', 'refunds', 'renewal', 'replaced', 'pending', 'hints'] },
);

const oneTime: fc.Arbitrary<OneTimeFacts> = fc.record({
  purchase: orNull(
    said(
      price.map((value) => ({
        storeProductId: 'coins',
        purchasedAtMs: 0,
        expiresAtMs: null,
        price: value,
        quantity: 1,
        ownership: 'purchased' as const,
        storeTransactionId: 't',
        country: null,
      })),
    ),
  ),
  refund: orNull(
    said(fc.record({ refundedAtMs: orNull(fc.constantFrom(1, 2)), quantity: fc.constantFrom(1, 2) })),
  ),
  hints: fc.constant(null),
});

/** In the form in which they are stored: the result of a merge. */
const facts = statements.map((one) => mergeSubscriptionFacts(noSubscriptionFacts, one));
const oneTimeFacts = oneTime.map((one) => mergeOneTimeFacts(noOneTimeFacts, one));

describe('merging facts', () => {
  it.each([
    ['of a subscription', facts, mergeSubscriptionFacts],
    ['of a one-time purchase', oneTimeFacts, mergeOneTimeFacts],
  ] as [string, fc.Arbitrary<SubscriptionFacts>, typeof mergeSubscriptionFacts][])(
    '%s does not depend on order, grouping or repetition',
    (_, any, merge) => {
      fc.assert(
        fc.property(any, any, any, (a, b, c) => {
          expect(merge(a, b)).toEqual(merge(b, a));
          expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
          expect(merge(merge(a, b), b)).toEqual(merge(a, b));
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it('returns the same object if nothing is new, so that nothing is written', () => {
    fc.assert(
      fc.property(facts, statements, (a, b) => {
        const merged = mergeSubscriptionFacts(a, b);
        expect(mergeSubscriptionFacts(merged, b)).toBe(merged);
        expect(mergeSubscriptionFacts(merged, a)).toBe(merged);
      }),
    );
  });

  it('merges to the same after a round trip through JSON', () => {
    fc.assert(
      fc.property(facts, statements, (a, b) => {
        const stored = JSON.parse(JSON.stringify(a)) as SubscriptionFacts;
        expect(mergeSubscriptionFacts(stored, b)).toEqual(mergeSubscriptionFacts(a, b));
      }),
    );
  });

  it.each<[string, [Source, number], [Source, number], Source]>([
    ['the newer statement', ['device', 2], ['signed', 1], 'device'],
    ['the more trusted statement at the same time', ['api', 1], ['signed', 1], 'signed'],
  ])('prefers %s', (_, [a, atA], [b, atB], winner) => {
    const hints = (src: Source, at: number): SubscriptionFacts => ({
      ...noSubscriptionFacts,
      hints: { at, src, value: { presentedOfferingId: src } },
    });
    expect(mergeSubscriptionFacts(hints(a, atA), hints(b, atB)).hints?.value.presentedOfferingId).toBe(
      winner,
    );
  });

  it('never replaces a price from the store by one from a device, or by none', () => {
    const costing = (at: number, source: PriceSource, amountMicros: number | null): SubscriptionFacts => ({
      ...noSubscriptionFacts,
      periods: {
        p0: { at, src: 'signed', value: periodFact(0, { price: { amountMicros, currency: 'USD', source } }) },
      },
    });
    const store = costing(1, 'store', 5);
    for (const later of [costing(2, 'device', 9), costing(2, 'unknown', null)]) {
      const merged = mergeSubscriptionFacts(store, later);
      expect(merged.periods.p0?.at).toBe(2);
      expect(merged.prices?.p0?.value.amountMicros).toBe(5);
      expect(mergeSubscriptionFacts(merged, costing(3, 'store', 6)).prices).toBeUndefined();
    }
  });
});
