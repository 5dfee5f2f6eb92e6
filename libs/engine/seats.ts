import type { EffectiveFacts } from './effective-facts.js';
import type { PeriodFact, RefundFact, Register, SeatTier, SubscriptionFacts } from './facts.model.js';
import type { KeyedPeriod } from './periods.js';

/** Transactions of one period can have slightly different ends. */
const SAME_END_MS = 60_000;

/** A transaction that added seats to the period of another one. */
export interface Addition {
  periodKey: string;
  register: Register<PeriodFact>;
}

type Entry = [key: string, register: Register<PeriodFact>];

/** Transaction ids are numbers, of more digits than a double has. */
function inOrder([, { value: a }]: Entry, [, { value: b }]: Entry): number {
  const [x, y] = [a.storeTransactionId, b.storeTransactionId];
  return a.startMs - b.startMs || x.length - y.length || (x < y ? -1 : 1);
}

/** Whether two transactions sell the same product until the same time. */
export function haveSameEnd({ value: a }: Register<PeriodFact>, { value: b }: Register<PeriodFact>): boolean {
  if (a.endMs === null || b.endMs === null) return false;
  return a.storeProductId === b.storeProductId && Math.abs(a.endMs - b.endMs) <= SAME_END_MS;
}

/** Whether two transactions paid for the same period. */
export function isSamePeriod(a: Register<PeriodFact>, b: Register<PeriodFact>): boolean {
  return a.value.ownership === b.value.ownership && haveSameEnd(a, b);
}

/** Periods that several transactions paid for, each with its first transaction at the start. */
function sharedPeriods(periods: SubscriptionFacts['periods']): [Entry, ...Entry[]][] {
  const groups: [Entry, ...Entry[]][] = [];
  for (const entry of Object.entries(periods).sort(inOrder)) {
    const group = groups.find(([[, first]]) => isSamePeriod(first, entry[1]));
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  // A transaction signed before seats were added does not show that there are others.
  return groups.filter((group) => group.length > 1 && group.some(([, { value }]) => value.isPartOfPeriod));
}

function isRevoked(refund: Register<RefundFact> | undefined): refund is Register<RefundFact> {
  return refund !== undefined && refund.value.revokedAtMs !== null && refund.value.kind !== 'partial';
}

/** The revocation of a period: it ends access only once all its transactions are revoked. */
function revocationOfAll(refunds: (Register<RefundFact> | undefined)[]): Register<RefundFact> | null {
  const known = refunds.filter((refund) => refund !== undefined);
  const at = Math.max(...known.map((refund) => refund.at));
  const revoked = refunds.filter(isRevoked);
  if (revoked.length === 0) return null;
  const [first] = revoked as [Register<RefundFact>];
  if (revoked.length < refunds.length) {
    return { ...first, at, value: { revokedAtMs: null, kind: 'partial', amountMicros: null } };
  }
  const money = revoked.find(({ value }) => value.kind !== 'family') ?? first;
  const revokedAtMs = Math.max(...revoked.map(({ value }) => value.revokedAtMs ?? 0));
  return { ...money, at, value: { ...money.value, revokedAtMs } };
}

/** Whether any transaction states that others paid for its period, too. */
export function mayShareAPeriod({ periods }: SubscriptionFacts): boolean {
  for (const key in periods) if (periods[key]?.value.isPartOfPeriod === true) return true;
  return false;
}

/** Separates transactions that added seats from the periods that they added them to. */
export function withAdditions(facts: EffectiveFacts): EffectiveFacts {
  if (facts.additions !== undefined) return facts;
  const groups = sharedPeriods(facts.periods);
  if (groups.length === 0) return facts;
  const periods = { ...facts.periods };
  const refunds = { ...facts.refunds };
  const ends = { ...facts.ends };
  const additions: Record<string, Addition> = {};
  for (const [[periodKey], ...added] of groups) {
    const keys = [periodKey, ...added.map(([key]) => key)];
    const revocation = revocationOfAll(keys.map((key) => facts.refunds[key]));
    if (revocation) refunds[periodKey] = revocation;
    for (const [key, register] of added) {
      additions[key] = { periodKey, register };
      const end = ends[key];
      if (end) ends[periodKey] ??= end;
      delete periods[key];
      delete refunds[key];
      delete ends[key];
    }
  }
  return {
    ...facts,
    periods,
    refunds,
    ...(facts.ends && { ends }),
    additions,
    refundsByCharge: facts.refunds,
  };
}

/** Refunds by the transaction that they return money of. */
export function chargeRefunds({ refunds, refundsByCharge }: EffectiveFacts): SubscriptionFacts['refunds'] {
  return refundsByCharge ?? refunds;
}

interface Charges {
  facts: EffectiveFacts;
  additions: readonly KeyedPeriod[];
}

/** All transactions that paid for a period, its own first. */
export function chargesOf({ additions }: Charges, period: KeyedPeriod): KeyedPeriod[] {
  return [period, ...additions.filter(({ additionTo }) => additionTo === period.key)];
}

export interface SeatsInPeriod {
  /** Seats in effect: those bought less those revoked. */
  quantity: number;
  revoked: number;
  tiers: SeatTier[];
}

function sameTiers(all: SeatTier[]): SeatTier[] {
  const byPrice = new Map<number, number>();
  for (const { priceMicros, quantity } of all) {
    byPrice.set(priceMicros, (byPrice.get(priceMicros) ?? 0) + quantity);
  }
  return [...byPrice].map(([priceMicros, quantity]) => ({ priceMicros, quantity }));
}

/** Null for a purchase without seats. */
export function seatsInPeriod(charges: Charges, period: KeyedPeriod): SeatsInPeriod | null {
  if (!period.seats) return null;
  const refunds = chargeRefunds(charges.facts);
  const seats: SeatsInPeriod = { quantity: 0, revoked: 0, tiers: [] };
  for (const { key, quantity, seats: sold } of chargesOf(charges, period)) {
    const isGone = isRevoked(refunds[key]);
    const revoked = isGone ? quantity : Math.min(quantity, sold?.revoked ?? 0);
    seats.quantity += quantity - revoked;
    seats.revoked += revoked;
    if (!isGone) seats.tiers.push(...(sold?.tiers ?? []));
  }
  return { ...seats, tiers: sameTiers(seats.tiers) };
}
