import fc from 'fast-check';
import { accessSpans, type ExtraFact, type PeriodTerms } from './index.js';
import {
  at,
  day,
  PRICE_MICROS,
  register,
  type ReportBuilder,
  SubscriptionHistory,
} from './testing/subscription-history.js';

function extraFact(atDay: number, amountMicros: number): ExtraFact {
  return {
    chargeKey: 'p0',
    storeProductId: 'monthly',
    planId: null,
    price: { amountMicros, currency: 'USD', source: 'store' },
    paidAtMs: day(atDay),
    storeTransactionId: `i${atDay}`,
    country: null,
  };
}

const reported = (atDay: number, key: string, amountMicros: number): ReportBuilder =>
  at(atDay).with({ extras: { [key]: register(day(atDay), extraFact(atDay, amountMicros)) } });

function begun(): SubscriptionHistory {
  const history = new SubscriptionHistory('stripe');
  history.receive(at(0).period(0).renewal(0));
  return history;
}

describe('money beside the price of a period', () => {
  it('adds up to what was said last, in any order and repetition', () => {
    const report = fc.record({
      atDay: fc.integer({ min: 1, max: 20 }),
      key: fc.constantFrom('i1', 'i2', 'i3'),
      amount: fc.integer({ min: -5_000_000, max: 50_000_000 }),
    });
    const reports = fc.uniqueArray(report, { minLength: 1, maxLength: 6, selector: ({ atDay }) => atDay });
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (all, numbers) => {
        const shuffled = [...all, ...all]
          .map((one) => ({ one, rank: numbers.next().value as number }))
          .sort((a, b) => a.rank - b.rank);
        const history = begun();
        for (const { one } of shuffled) history.receive(reported(one.atDay, one.key, one.amount));
        const last = new Map(
          [...all].sort((a, b) => a.atDay - b.atDay).map(({ key, amount }) => [key, amount]),
        );
        const said = [...last.values()].reduce((sum, amount) => sum + amount, PRICE_MICROS);
        const booked = history.ledger.reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
        expect(booked).toBe(said);
        expect(
          history.ledger
            .filter(({ kind }) => kind === 'proration')
            .every(({ price }) => price.amountMicros !== 0),
        ).toBe(true);
      }),
    );
  });

  it('returns with a full refund, and never with a partial one', () => {
    const history = begun();
    history.receive(reported(1, 'i1', 25_000_000));
    history.receive(at(2).refund(0, { kind: 'partial', amountMicros: PRICE_MICROS }));
    expect(history.state.givesAccess).toBe(true);
    history.receive(at(3).refund(0));
    expect(history.money.at(-1)).toEqual(['refund', -25_000_000]);
    expect(history.state.givesAccess).toBe(false);
  });
});

describe('a fee that the store reports after the payment', () => {
  const withFee = (builder: ReportBuilder, atDay: number): ReportBuilder => {
    const extra = { ...extraFact(1, 25_000_000), feeMicros: 1_250_000 };
    return builder.period(0, { feeMicros: 500_000 }).with({ extras: { i1: register(day(atDay), extra) } });
  };
  const reports: ReportBuilder[] = [
    at(1)
      .period(0)
      .with({ extras: { i1: register(day(1), extraFact(1, 25_000_000)) } }),
    at(2).refund(0, { kind: 'partial', amountMicros: 3_000_000 }),
    withFee(at(3), 3),
    withFee(at(4), 4),
    at(5).refund(0),
    at(6).refund(0, { revokedAtMs: null }),
  ];

  it('moves all that is left to its commission, in any order and repetition', () => {
    const order = fc.shuffledSubarray([...reports.keys(), ...reports.keys()], { minLength: 1 });
    fc.assert(
      fc.property(order, (indexes) => {
        const history = begun();
        for (const index of indexes) history.receive(reports[index] as ReportBuilder);
        const sumOf = (isKnown: boolean): number =>
          history.ledger
            .filter(({ isFeeKnown = false }) => isFeeKnown === isKnown)
            .reduce((sum, { price }) => sum + (price.amountMicros ?? 0), 0);
        const isKnown = indexes.some((index) => index === 2 || index === 3);
        expect(sumOf(!isKnown)).toBe(0);
      }),
    );
  });

  it('books it once, even for a charge from before fees were corrected', () => {
    const history = begun();
    history.receive(withFee(at(3), 3));
    const emitted = { ...history.subscription.emitted };
    delete emitted.fees;
    history.subscription = { ...history.subscription, emitted };
    const before = history.ledger.length;
    history.receive(withFee(at(4), 4));
    expect(history.ledger.slice(before).map(({ price, rebooks }) => [price.amountMicros, rebooks])).toEqual([
      [-PRICE_MICROS, true],
      [PRICE_MICROS, true],
    ]);
    history.receive(withFee(at(5), 5));
    expect(history.ledger).toHaveLength(before + 2);
  });
});

describe('a period that sells something else from a day on', () => {
  const term = (sinceDay: number, storeProductId: string, valueMicros: number | null): PeriodTerms => ({
    ...{ sinceMs: day(sinceDay), storeProductId, planId: null, quantity: 1, valueMicros },
  });

  it('splits into parts, each with its own value', () => {
    const history = begun();
    const terms = [term(0, 'monthly', null), term(15, 'gold', 19_990_000)];
    history.receive(at(15).period(0, { storeProductId: 'gold', terms }));
    const [span] = accessSpans(history.subscription.facts);
    expect(
      span?.parts?.map(({ sinceMs, storeProductId, valueMicros }) => [sinceMs, storeProductId, valueMicros]),
    ).toEqual([
      [day(0), 'monthly', null],
      [day(15), 'gold', 19_990_000],
    ]);
  });

  it('has the value of a whole period from its start if the charge was prorated', () => {
    const history = begun();
    history.receive(at(15).period(0, { terms: [term(0, 'monthly', 19_990_000)] }));
    const [span] = accessSpans(history.subscription.facts);
    expect(span?.parts).toEqual([
      { sinceMs: day(0), storeProductId: 'monthly', planId: null, valueMicros: 19_990_000 },
    ]);
  });

  it('counts an add-on at its full price from the day it joins', () => {
    const history = begun();
    const price = { amountMicros: 0, currency: 'USD', source: 'store' as const };
    history.receive(at(10).addOn(0, { startMs: day(10), price, valueMicros: 3_000_000 }));
    const [span] = accessSpans(history.subscription.facts);
    expect(span?.parts?.at(-1)).toMatchObject({ sinceMs: day(10), valueMicros: PRICE_MICROS + 3_000_000 });
  });
});

describe('a period that is paid for ahead', () => {
  const ahead = () =>
    at(0)
      .period(0)
      .period(1, { paidAtMs: day(0) })
      .renewal(1);

  it('counts as bought when it was paid, and runs from its start', () => {
    const history = new SubscriptionHistory('stripe');
    expect(history.receive(ahead())).toEqual(['INITIAL_PURCHASE', 'RENEWAL']);
    expect(history.ledger.map(({ purchasedAtMs }) => purchasedAtMs)).toEqual([day(0), day(0)]);
    expect(history.state).toMatchObject({ periodEndsAtMs: day(30), accessEndsAtMs: day(60) });
  });

  it('never begins if the subscription ends before it', () => {
    const history = new SubscriptionHistory('stripe');
    history.receive(ahead());
    const ended = { expired: register(day(10), day(10)) };
    history.receive(
      at(10)
        .renewal(0, { autoRenew: false, ended: true })
        .with({ ends: { p0: ended, p1: ended } }),
    );
    expect(history.state).toMatchObject({ givesAccess: false, accessEndsAtMs: day(10) });
  });
});
