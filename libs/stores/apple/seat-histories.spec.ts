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
import { noContext } from './transaction-facts.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 20);
const PERIOD_DAYS = 30;
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
const world = fc.record({
  periods: fc.array(period, { minLength: 1, maxLength: 2 }),
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
      originalTransactionId: '1000',
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

function run(signed: SignedTransaction[], nowMs: number) {
  let subscription: Subscription = newSubscription({
    id: 'sub_1',
    store: 'app_store',
    environment: 'production',
    storeKey: '1000',
  });
  const events: EngineEvent[] = [];
  const ledger: LedgerEntry[] = [];
  for (const transaction of signed) {
    const collected = new AccountPurchases(noContext);
    collected.addTransaction(transaction);
    const [purchase] = collected.of('production');
    if (purchase?.kind !== 'subscription') throw new Error('no subscription');
    const { observation, settle } = purchase;
    const facts = settle ? settle(observation.facts, subscription.facts) : observation.facts;
    const change = applySubscription(subscription, { ...observation, facts }, nowMs);
    subscription = change.subscription;
    events.push(...change.events);
    ledger.push(...change.ledger);
  }
  return { subscription, events, ledger, state: currentState(subscription, nowMs) };
}

it('counts seats once, whatever the order of their transactions', () => {
  fc.assert(
    fc.property(world, ({ periods, order, repeats }) => {
      const sales = salesOf(periods);
      const all = sales.flat();
      const statements = all.flatMap(({ signed }) => signed);
      const nowMs = day((periods.length - 1) * PERIOD_DAYS + 29);
      const repeated = [...statements, ...statements.slice(0, repeats)];
      const shuffled = repeated
        .map((one) => ({ one, key: order.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      const inOrder = run(
        statements.toSorted((a, b) => a.signedDate - b.signedDate),
        nowMs,
      );
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
