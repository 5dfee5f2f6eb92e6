import { haveSameEnd, type PeriodFact, type Register, type SubscriptionFacts } from '../../engine/index.js';

type Periods = SubscriptionFacts['periods'];

/** Two transactions of one period; a restored transaction has another id, but the date of the same purchase. */
function isOther(one: Register<PeriodFact>, other: Register<PeriodFact>): boolean {
  const { value: a } = one;
  const { value: b } = other;
  return (
    a.storeTransactionId !== b.storeTransactionId &&
    a.startMs !== b.startMs &&
    haveSameEnd(one, other) &&
    (a.isPartOfPeriod === true || b.isPartOfPeriod === true)
  );
}

function renamedKeys<T>(record: Record<string, T>, names: ReadonlyMap<string, string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** The line item of a key, without the transaction id that separates added seats from the first transaction. */
function lineOf(key: string): string {
  return key.split(':', 1)[0] ?? key;
}

/** New keys of reported transactions whose key another known transaction of the same period has. */
function newKeys(periods: Periods, known: Periods): Map<string, string> {
  const names = new Map<string, string>();
  for (const [key, period] of Object.entries(periods)) {
    const { storeTransactionId: id, ownership } = period.value;
    // Earlier versions recorded members under the line item.
    const own = Object.keys(known).find(
      (one) =>
        known[one]?.value.storeTransactionId === id &&
        (ownership === 'assigned' || lineOf(one) === lineOf(key)),
    );
    const holder = known[key];
    if (own !== undefined) {
      if (own !== key) names.set(key, own);
    } else if (holder && isOther(holder, period)) names.set(key, `${key}:${id}`);
  }
  return names;
}

/**
 * Seats added during a period can have the line item of the first transaction. Each transaction then has a key of its
 * own, so that none hides another.
 */
export function withSeatKeys(facts: SubscriptionFacts, known: SubscriptionFacts): SubscriptionFacts {
  const names = newKeys(facts.periods, known.periods);
  if (names.size === 0) return facts;
  const { renewal, ends } = facts;
  const subject = renewal?.value.periodKey;
  const periodKey = subject === undefined ? undefined : names.get(subject);
  return {
    ...facts,
    periods: renamedKeys(facts.periods, names),
    refunds: renamedKeys(facts.refunds, names),
    ...(ends && { ends: renamedKeys(ends, names) }),
    renewal:
      renewal && periodKey !== undefined ? { ...renewal, value: { ...renewal.value, periodKey } } : renewal,
  };
}
