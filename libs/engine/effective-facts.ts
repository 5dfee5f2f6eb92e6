import { withKnownFields, withKnownPurchase } from './imported-gaps.js';
import type {
  EndFacts,
  ImportedFacts,
  OneTimeFacts,
  PeriodFact,
  RefundFact,
  Register,
  RenewalFact,
  SubscriptionFacts,
} from './facts.model.js';
import type { Price } from './enums.js';
import { type Addition, mayShareAPeriod, withAdditions } from './seats.js';
import { priceBeats } from './statement-order.js';

/** Tolerance within which the two systems' start times mean the same period. */
const SAME_START_MS = 5 * 60_000;

/** The facts that count: the stores' facts take precedence over imported ones, and each period appears once. */
export interface EffectiveFacts extends SubscriptionFacts {
  imported?: never;
  /** The imported renewal state after a period. Counts only if no store reports one. */
  importedRenewal?: Register<RenewalFact>;
  /** See `ImportedFacts`. */
  startedAtMs?: number;
  /** See `ImportedFacts.held`. Only set until a store reports the subscription. */
  heldUntilMs?: number;
  /** Transactions that added seats to a period, by key. They are no periods. */
  additions?: Record<string, Addition>;
  /** Refunds by transaction, if there are additions. Then `refunds` has those of whole periods. */
  refundsByCharge?: Record<string, Register<RefundFact>>;
  /** Store keys of imported periods, by imported key, if a store reported them under another key. */
  takenOver?: ReadonlyMap<string, string>;
}

const computed = new WeakMap<SubscriptionFacts, EffectiveFacts>();

/** Returns the facts themselves if nothing was imported and no seats were added during a period. */
export function effectiveFacts(facts: SubscriptionFacts): EffectiveFacts {
  const { imported } = facts;
  if (imported === undefined && !mayShareAPeriod(facts)) return facts as EffectiveFacts;
  const known = computed.get(facts);
  if (known) return known;
  const merged =
    imported === undefined ? (facts as EffectiveFacts) : layered(facts, withKnownFields(imported));
  const effective = withAdditions(merged);
  computed.set(facts, effective);
  return effective;
}

export function hasPeriods({ periods, imported }: SubscriptionFacts): boolean {
  return Object.keys(periods).length > 0 || Object.keys(imported?.periods ?? {}).length > 0;
}

/** A store has reported the subscription itself. */
export function isVerified({ periods }: SubscriptionFacts): boolean {
  return Object.keys(periods).length > 0;
}

type Periods = Record<string, Register<PeriodFact>>;

/** The verified period with the same key or transaction id, or else the one that starts nearest within five minutes. */
function takerOf(key: string, { startMs, storeTransactionId }: PeriodFact, verified: Periods): string | null {
  if (Object.hasOwn(verified, key)) return key;
  const all = Object.entries(verified).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = [key, storeTransactionId];
  const named = all.find(([, { value }]) => names.includes(value.storeTransactionId));
  if (named) return named[0];
  let nearest: string | null = null;
  let nearestMs = SAME_START_MS + 1;
  for (const [other, { value }] of all) {
    const apartMs = Math.abs(value.startMs - startMs);
    if (apartMs >= nearestMs) continue;
    nearest = other;
    nearestMs = apartMs;
  }
  return nearest;
}

/** Keys of verified periods by the keys of the imported periods that they replace, which may be the same. */
function takers(imported: Periods, verified: Periods): Map<string, string> {
  const found = new Map<string, string>();
  if (Object.keys(verified).length === 0) return found;
  for (const [key, { value }] of Object.entries(imported).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const taker = takerOf(key, value, verified);
    if (taker !== null) found.set(key, taker);
  }
  return found;
}

/** The best price of each verified period: the store's, or else the imported one. */
function pricesOf(
  facts: SubscriptionFacts,
  { periods: imported, prices: known = {} }: ImportedFacts,
  taken: ReadonlyMap<string, string>,
) {
  const untaken = Object.entries(known).filter(([key]) => !taken.has(key));
  const prices: Record<string, Register<Price>> = { ...facts.prices, ...Object.fromEntries(untaken) };
  for (const [key, taker] of taken) {
    const { at, src, value } = imported[key] as Register<PeriodFact>;
    const verified = facts.periods[taker] as Register<PeriodFact>;
    const best = prices[taker] ?? { at: verified.at, src: verified.src, value: verified.value.price };
    const said = known[key] ?? { at, src, value: value.price };
    if (priceBeats(said, best)) prices[taker] = said;
  }
  return prices;
}

function layered(facts: SubscriptionFacts, imported: ImportedFacts): EffectiveFacts {
  const taken = takers(imported.periods, facts.periods);
  const keyOf = (key: string): string => taken.get(key) ?? key;
  const untaken = Object.entries(imported.periods).filter(([key]) => !taken.has(key));
  const refunds = { ...facts.refunds };
  for (const [key, refund] of Object.entries(imported.refunds)) {
    const own = keyOf(key);
    if (!Object.hasOwn(refunds, own)) refunds[own] = refund;
  }
  const ends: Record<string, EndFacts> = { ...facts.ends };
  for (const [key, end] of Object.entries(imported.ends ?? {})) {
    const own = keyOf(key);
    if (!taken.has(key)) ends[own] = end;
    // A verified period has its own end. Only grace may extend it, until the store reports more.
    else if (end.grace && facts.renewal === null && !ends[own]) ends[own] = { grace: end.grace };
  }
  const prices = pricesOf(facts, imported, taken);
  const { renewal } = imported;
  const subject = renewal?.value.periodKey;
  const aliases = new Map([...taken].filter(([key, taker]) => key !== taker));
  const heldUntilMs = isVerified(facts) ? null : (imported.held?.value ?? null);
  return {
    renewal: facts.renewal,
    replaced: facts.replaced,
    pending: facts.pending,
    ...(facts.addOns && { addOns: facts.addOns }),
    ...(facts.extras && { extras: facts.extras }),
    ...(facts.continuations && { continuations: facts.continuations }),
    periods: { ...facts.periods, ...Object.fromEntries(untaken) },
    refunds,
    hints: facts.hints ?? imported.hints,
    ...(Object.keys(ends).length > 0 && { ends }),
    ...(Object.keys(prices).length > 0 && { prices }),
    ...(renewal && {
      importedRenewal:
        subject === undefined
          ? renewal
          : { ...renewal, value: { ...renewal.value, periodKey: keyOf(subject) } },
    }),
    ...(imported.startedAtMs !== undefined && { startedAtMs: imported.startedAtMs }),
    ...(heldUntilMs !== null && { heldUntilMs }),
    ...(aliases.size > 0 && { takenOver: aliases }),
  };
}

/** The store's facts about a one-time purchase; imported facts fill the gaps. */
export function effectivePurchase(facts: OneTimeFacts): OneTimeFacts {
  const { imported: readings, ...store } = facts;
  if (readings === undefined) return facts;
  const imported = withKnownPurchase(readings);
  const { purchase: said } = imported;
  const purchase = store.purchase ?? said;
  const own = store.price ?? (store.purchase && { ...store.purchase, value: store.purchase.value.price });
  const price = said && { ...said, value: said.value.price };
  const best = own && price && priceBeats(price, own) ? price : store.price;
  return {
    ...store,
    purchase,
    refund: store.refund ?? imported.refund,
    hints: store.hints ?? imported.hints ?? null,
    ...(best && { price: best }),
  };
}

function renamedKeys<T>(record: Record<string, T>, names: ReadonlyMap<string, string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** The same facts with other period keys. */
export function withPeriodKeys(facts: EffectiveFacts, names: ReadonlyMap<string, string>): EffectiveFacts {
  const { periods, refunds, ends, prices, importedRenewal, ...rest } = facts;
  const periodKey = importedRenewal?.value.periodKey;
  return {
    ...rest,
    periods: renamedKeys(periods, names),
    refunds: renamedKeys(refunds, names),
    ...(ends && { ends: renamedKeys(ends, names) }),
    ...(prices && { prices: renamedKeys(prices, names) }),
    ...(importedRenewal && {
      importedRenewal:
        periodKey === undefined
          ? importedRenewal
          : {
              ...importedRenewal,
              value: { ...importedRenewal.value, periodKey: names.get(periodKey) ?? periodKey },
            },
    }),
  };
}
