import fc from 'fast-check';
import {
  accessSpans,
  applySubscription,
  currentState,
  type EngineEvent,
  type LedgerEntry,
  newSubscription,
  type Subscription,
} from '../../engine/index.js';
import { AccountPurchases } from './purchases.js';
import { renewalFacts } from './renewal-facts.js';
import { shareOf } from './seats.js';
import type { SignedTransaction } from './signed-data.js';
import { noContext, purchaseKeyOf } from './transaction-facts.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 20);
const PERIOD_DAYS = 30;
const BUYER = '1000';
const day = (days: number): number => START_MS + Math.round(days * DAY_MS);

interface Tier {
  price: number;
  quantity: number;
}

/** Changes of one transaction, in days after it. */
interface Sale {
  tiers: Tier[];
  /** Seats that are refunded, in total, and when. */
  refunds: { afterDays: number; revoked: number }[];
  /** When all of it is revoked, and when that is reversed. */
  revokedAfter: number | null;
  isReversed: boolean;
  /** For added seats: the day of the period, and whether they have the line item of the first transaction. */
  onDay: number;
  sharesLine: boolean;
}

const tier = fc.record({
  price: fc.integer({ min: 0, max: 50_000 }),
  quantity: fc.integer({ min: 1, max: 60 }),
});
const sale: fc.Arbitrary<Sale> = fc.record({
  tiers: fc.array(tier, { minLength: 1, maxLength: 3 }),
  refunds: fc.array(fc.record({ afterDays: fc.integer({ min: 1, max: 5 }), revoked: fc.nat(60) }), {
    maxLength: 2,
  }),
  revokedAfter: fc.option(fc.integer({ min: 6, max: 8 })),
  isReversed: fc.boolean(),
  onDay: fc.integer({ min: 1, max: 12 }),
  sharesLine: fc.boolean(),
});
const period = fc.record({ first: sale, added: fc.array(sale, { maxLength: 2 }) });
/** Someone who has a seat, in days of the subscription. */
interface Member {
  joinsOn: number;
  leavesAfter: number | null;
  /** Null: never returns. */
  returnsAfter: number | null;
  /** The App Store signs the former transaction again, or sells another one. */
  returnsWithSameId: boolean;
  hasBuyersId: boolean;
}
const member: fc.Arbitrary<Member> = fc.record({
  joinsOn: fc.integer({ min: 0, max: 55 }),
  leavesAfter: fc.option(fc.integer({ min: 1, max: 20 })),
  returnsAfter: fc.option(fc.integer({ min: 1, max: 5 })),
  returnsWithSameId: fc.boolean(),
  hasBuyersId: fc.boolean(),
});
const world = fc.record({
  periods: fc.array(period, { minLength: 1, maxLength: 2 }),
  members: fc.array(member, { maxLength: 3 }),
  order: fc.infiniteStream(fc.nat()),
  repeats: fc.nat(5),
});

interface Sold {
  id: string;
  amountMicros: number;
  /** Everything that the App Store signed about it, oldest first. */
  signed: SignedTransaction[];
}

/** Where a sale stands among those of its period; `others` are the days on which seats were added. */
interface Place {
  id: string;
  line: string;
  ownDays: number;
  index: number;
  others: number[];
  isFirst: boolean;
}

function statementsOf(sold: Sale, { id, line, ownDays, index, others, isFirst }: Place): Sold {
  const quantity = sold.tiers.reduce((sum, one) => sum + one.quantity, 0);
  const endDays = (index + 1) * PERIOD_DAYS;
  const at = (days: number): SignedTransaction => {
    const revoked = sold.refunds.filter(({ afterDays }) => ownDays + afterDays <= days).at(-1)?.revoked ?? 0;
    const isRevoked =
      sold.revokedAfter !== null &&
      ownDays + sold.revokedAfter <= days &&
      !(sold.isReversed && ownDays + sold.revokedAfter + 1 <= days);
    const isShared = !isFirst || others.some((other) => other <= days);
    return {
      transactionId: id,
      originalTransactionId: BUYER,
      webOrderLineItemId: line,
      productId: 'pro_m',
      purchaseDate: day(ownDays),
      originalPurchaseDate: START_MS,
      expiresDate: day(endDays),
      type: 'Auto-Renewable Subscription',
      environment: 'Production',
      inAppOwnershipType: 'PURCHASED',
      transactionReason: index === 0 || !isFirst ? 'PURCHASE' : 'RENEWAL',
      signedDate: day(days),
      currency: 'USD',
      price: 1,
      quantity,
      multiSeatInfo: {
        priceTiers: sold.tiers,
        ...(revoked > 0 && { revokedSeatQuantity: Math.min(revoked, quantity) }),
      },
      ...(isShared && { additionalTransactionReason: 'SEAT_ADDITION' }),
      ...(isRevoked && { revocationDate: day(ownDays + (sold.revokedAfter ?? 0)), revocationReason: 0 }),
    };
  };
  const times = new Set([ownDays, ...others.filter((other) => other > ownDays)]);
  for (const { afterDays } of sold.refunds) times.add(ownDays + afterDays);
  if (sold.revokedAfter !== null) {
    times.add(ownDays + sold.revokedAfter);
    if (sold.isReversed) times.add(ownDays + sold.revokedAfter + 1);
  }
  const amountMicros = sold.tiers.reduce((sum, one) => sum + one.price * one.quantity, 0) * 1_000;
  return { id, amountMicros, signed: [...times].sort((a, b) => a - b).map((days) => at(days + 0.1)) };
}

/** Each sale with the transactions that were signed about it. */
function salesOf(periods: { first: Sale; added: Sale[] }[]): Sold[][] {
  return periods.map(({ first, added }, index) => {
    const startDays = index * PERIOD_DAYS;
    const days = added.map(({ onDay }, n) => startDays + onDay + n * 0.2);
    const line = `50${index}0`;
    return [first, ...added].map((sold, n) => {
      const id = String(2_000 + index * 100 + n);
      const own = n === 0 ? line : sold.sharesLine ? line : `${line}${n}`;
      return statementsOf(sold, {
        id,
        line: own,
        ownDays: days[n - 1] ?? startDays,
        index,
        others: days,
        isFirst: n === 0,
      });
    });
  });
}

function returned({ amountMicros, signed }: Sold): number {
  const last = signed.at(-1) as SignedTransaction;
  if (last.revocationDate !== undefined) return amountMicros;
  const revoked = (last.multiSeatInfo as { revokedSeatQuantity?: number }).revokedSeatQuantity ?? 0;
  return shareOf(amountMicros, revoked, last.quantity ?? 1);
}

/** The days on which a member has a seat: from, and until (exclusive). */
function spansOf({ joinsOn, leavesAfter, returnsAfter }: Member): [number, number][] {
  if (leavesAfter === null) return [[joinsOn, Infinity]];
  const leavesOn = joinsOn + leavesAfter;
  const first: [number, number] = [joinsOn, leavesOn];
  return returnsAfter === null ? [first] : [first, [leavesOn + returnsAfter, Infinity]];
}

/** All that the App Store signs about the seat of a member: a transaction for each period, revoked when they leave. */
function membershipOf(one: Member, index: number, periods: Sold[][]): SignedTransaction[] {
  const signed: SignedTransaction[] = [];
  let last: SignedTransaction | undefined;
  for (const [from, until] of spansOf(one)) {
    periods.forEach(([bought], n) => {
      const [startDay, endDay] = [Math.max(from, n * PERIOD_DAYS), (n + 1) * PERIOD_DAYS];
      if (startDay >= endDay || until <= startDay) return;
      const isSame = one.returnsWithSameId && last?.expiresDate === day(endDay);
      const transaction: SignedTransaction = {
        ...(bought as Sold).signed.at(-1),
        ...(isSame ? last : { transactionId: `${3_000 + index * 100 + signed.length}` }),
        ...(!isSame && { purchaseDate: day(startDay) }),
        originalTransactionId: one.hasBuyersId ? BUYER : `${4_000 + index}`,
        appTransactionId: `${5_000 + index}`,
        inAppOwnershipType: 'ASSIGNED',
        signedDate: day(startDay + 0.1),
        revocationDate: undefined,
        revocationReason: undefined,
      } as SignedTransaction;
      last = transaction;
      signed.push(transaction);
      if (until >= endDay) return;
      signed.push({ ...transaction, signedDate: day(until + 0.1), revocationDate: day(until) });
    });
  }
  return signed;
}

/** Whether an own transaction that is not revoked runs. */
function hasSeat(signed: SignedTransaction[], nowMs: number): boolean {
  const latest = new Map(signed.map((one) => [one.transactionId, one]));
  return [...latest.values()].some(
    ({ purchaseDate, expiresDate = 0, revocationDate }) =>
      revocationDate === undefined && purchaseDate <= nowMs && expiresDate > nowMs,
  );
}

interface Life {
  subscription: Subscription;
  events: EngineEvent[];
  ledger: LedgerEntry[];
}

/** The subscriptions that the transactions belong to, by key. */
function runAll(signed: SignedTransaction[], nowMs: number): Map<string, Life> {
  const lives = new Map<string, Life>();
  for (const transaction of signed) {
    const collected = new AccountPurchases(noContext);
    collected.addTransaction(transaction);
    const [purchase] = collected.of('production');
    if (purchase?.kind !== 'subscription') throw new Error('no subscription');
    const { key, observation, settle } = purchase;
    const names = { id: key, store: 'app_store', environment: 'production', storeKey: key } as const;
    const life = lives.get(key) ?? { subscription: newSubscription(names), events: [], ledger: [] };
    const facts = settle ? settle(observation.facts, life.subscription.facts) : observation.facts;
    const change = applySubscription(life.subscription, { ...observation, facts }, nowMs);
    lives.set(key, {
      subscription: change.subscription,
      events: [...life.events, ...change.events],
      ledger: [...life.ledger, ...change.ledger],
    });
  }
  return lives;
}

function run(signed: SignedTransaction[], nowMs: number, key = BUYER) {
  const life = runAll(signed, nowMs).get(key);
  if (!life) throw new Error('no subscription');
  return { ...life, state: currentState(life.subscription, nowMs) };
}

it('counts seats once, whatever the members and the order of the transactions', () => {
  fc.assert(
    fc.property(world, ({ periods, members, order, repeats }) => {
      const sales = salesOf(periods);
      const all = sales.flat();
      const memberships = members
        .map((one, index) => membershipOf(one, index, sales))
        .filter(({ length }) => length > 0);
      const statements = [...all.flatMap(({ signed }) => signed), ...memberships.flat()];
      const nowMs = day((periods.length - 1) * PERIOD_DAYS + 29);
      const repeated = [...statements, ...statements.slice(0, repeats)];
      const shuffled = repeated
        .map((one) => ({ one, key: order.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const sorted = statements.toSorted((a, b) => a.signedDate - b.signedDate);
      const inOrder = run(sorted, nowMs);
      for (const { ledger, events, state } of [inOrder, run(shuffled, nowMs)]) {
        for (const sold of all) {
          const rows = ledger.filter(({ storeIds }) => storeIds.includes(sold.id));
          const sum = rows.reduce((total, { price }) => total + (price.amountMicros ?? 0), 0);
          expect(sum).toBe(sold.amountMicros - returned(sold));
        }
        expect(ledger.every(({ price }) => price.amountMicros !== null)).toBe(true);
        const keys = events.map(({ dedupeKey }) => dedupeKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(events.filter(({ type }) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
        const isRevoked = ({ signed }: Sold): boolean => signed.at(-1)?.revocationDate !== undefined;
        expect(state.givesAccess).toBe(!sales.at(-1)?.every(isRevoked));
        const { storeIdentifiers } = inOrder.state;
        expect({ ...state, storeIdentifiers }).toEqual(inOrder.state);
      }
      const lives = [runAll(sorted, nowMs), runAll(shuffled, nowMs)];
      for (const byKey of lives) expect(byKey.size).toBe(1 + memberships.length);
      for (const signed of memberships) {
        const key = purchaseKeyOf(signed[0] as SignedTransaction);
        const [first, other] = [run(sorted, nowMs, key), run(shuffled, nowMs, key)];
        for (const { ledger, events, state } of [first, other]) {
          expect(ledger.every(({ price }) => price.amountMicros === 0)).toBe(true);
          expect(ledger.every(({ ownership }) => ownership === 'assigned')).toBe(true);
          const keys = events.map(({ dedupeKey }) => dedupeKey);
          expect(new Set(keys).size).toBe(keys.length);
          expect(events.filter(({ type }) => type === 'INITIAL_PURCHASE')).toHaveLength(1);
          expect(events.filter(({ cancelReason }) => cancelReason === 'CUSTOMER_SUPPORT')).toEqual([]);
          expect(state.givesAccess).toBe(hasSeat(signed, nowMs));
          // An end that no store reported yet counts as a cancellation from then on.
          const { storeIdentifiers, unsubscribeAtMs } = first.state;
          expect({ ...state, storeIdentifiers, unsubscribeAtMs }).toEqual(first.state);
        }
      }
    }),
  );
});

describe('the value of a period with seats', () => {
  const none = { refunds: [], revokedAfter: null, isReversed: false, onDay: 10, sharesLine: false };
  const fifty: Sale = { ...none, tiers: [{ price: 13_990, quantity: 50 }] };
  const four: Sale = { ...none, tiers: [{ price: 13_990, quantity: 4 }] };
  const partsOf = (sales: Sold[][], more?: { quantity: number; price: number }) => {
    const signed = sales.flat().flatMap((sold) => sold.signed);
    const { subscription } = run(signed, day(20));
    const seats = more && {
      renewalQuantity: more.quantity,
      multiSeatInfo: { renewalPriceTiers: [more] },
      currency: 'USD',
    };
    const renewal = {
      originalTransactionId: '1000',
      autoRenewProductId: 'pro_m',
      autoRenewStatus: 1,
      signedDate: day(20),
      ...seats,
    };
    const { facts } = applySubscription(
      subscription,
      { atMs: day(20), facts: renewalFacts(renewal, {}) },
      day(20),
    ).subscription;
    return accessSpans(facts).flatMap(({ parts = [] }) => parts.map(({ valueMicros }) => valueMicros));
  };

  it('equals the charge without changes', () => {
    expect(partsOf(salesOf([{ first: fifty, added: [] }]))).toEqual([]);
  });

  it('includes added seats from then on', () => {
    expect(partsOf(salesOf([{ first: fifty, added: [four] }]))).toEqual([null, 755_460_000]);
  });

  it('excludes refunded seats from then on', () => {
    const refunded = { ...fifty, refunds: [{ afterDays: 3, revoked: 10 }] };
    expect(partsOf(salesOf([{ first: refunded, added: [] }]))).toEqual([null, 559_600_000]);
  });

  it('equals the price of the next period if that has as many seats', () => {
    const sales = salesOf([{ first: fifty, added: [four] }]);
    expect(partsOf(sales, { quantity: 54, price: 10_000 })).toEqual([null, 540_000_000]);
    expect(partsOf(sales, { quantity: 40, price: 10_000 })).toEqual([null, 755_460_000]);
  });
});
