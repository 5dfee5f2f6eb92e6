import {
  type SubscriptionFacts,
  type EndFacts,
  type ImportedFacts,
  type ImportedOneTimeFacts,
  type OneTimeFacts,
  type Register,
  type RenewalFact,
  type ReplacedFact,
} from './facts.model.js';
import type { Price } from './enums.js';
import { mergeKnownFields, mergeKnownPurchase } from './imported-gaps.js';
import { beats, priceBeats } from './statement-order.js';

export const noSubscriptionFacts: SubscriptionFacts = {
  periods: {},
  refunds: {},
  renewal: null,
  replaced: null,
  pending: null,
  hints: null,
};

/** Marks a grant that an import added. The grant itself is one of our own statements. */
export const noImportedFacts: ImportedFacts = { periods: {}, refunds: {}, renewal: null, hints: null };

export const noOneTimeFacts: OneTimeFacts = { purchase: null, refund: null, hints: null };

type Order<T> = (a: Register<T>, b: Register<T>) => boolean;
type Keyed<T> = Record<string, Register<T>>;

/** A known replacement key stays, whatever later statements report about the end. */
function replacementBeats(a: Register<ReplacedFact>, b: Register<ReplacedFact>): boolean {
  const known = (register: Register<ReplacedFact>): boolean => register.value.byStoreKey !== null;
  return known(a) === known(b) ? beats(a, b) : known(a);
}

function renewalBeats(a: Register<RenewalFact>, b: Register<RenewalFact>): boolean {
  const [ofA, ofB] = [a, b].map(({ value }) => value.periodStartMs ?? -Infinity) as [number, number];
  return ofA === ofB ? beats(a, b) : ofA > ofB;
}

function newest<T>(a: Register<T> | null | undefined, b: Register<T> | null | undefined, order: Order<T>) {
  if (!a || !b) return a ?? b ?? null;
  return order(b, a) ? b : a;
}

/** Returns `a` itself if `b` adds nothing, as do all merges below, so that unchanged facts need not be written. */
function mergeKeyed<T>(a: Keyed<T>, b: Keyed<T>): Keyed<T> {
  let merged = a;
  for (const [key, register] of Object.entries(b)) {
    const known = a[key];
    if (known !== undefined && !beats(register, known)) continue;
    if (merged === a) merged = { ...a };
    merged[key] = register;
  }
  return merged;
}

function mergeEnds(a: Record<string, EndFacts> = {}, b: Record<string, EndFacts> = {}) {
  let merged = a;
  for (const [key, more] of Object.entries(b)) {
    const known = a[key] ?? {};
    const grace = newest(known.grace, more.grace, beats);
    const expired = newest(known.expired, more.expired, beats);
    if (key in a && grace === (known.grace ?? null) && expired === (known.expired ?? null)) continue;
    if (merged === a) merged = { ...a };
    merged[key] = { ...(grace && { grace }), ...(expired && { expired }) };
  }
  return merged;
}

interface Priced {
  price: Price;
}

function ownPrice(register: Register<Priced> | null | undefined): Register<Price> | null {
  return register ? { at: register.at, src: register.src, value: register.value.price } : null;
}

/** The best price of both sides; null if the winning statement's own price is the best. */
function mergePrice(
  winner: Register<Priced> | null,
  a: { named: Register<Priced> | null | undefined; beside: Register<Price> | undefined },
  b: { named: Register<Priced> | null | undefined; beside: Register<Price> | undefined },
): Register<Price> | null {
  const ofA = newest(a.beside, ownPrice(a.named), priceBeats);
  const ofB = newest(b.beside, ownPrice(b.named), priceBeats);
  const best = newest(ofA, ofB, priceBeats);
  const own = ownPrice(winner);
  if (best === null || (own && !priceBeats(best, own))) return null;
  return best;
}

type Sold = Pick<SubscriptionFacts, 'periods' | 'addOns'>;
type PricedFacts = Sold & Pick<SubscriptionFacts, 'prices'>;

function mergePrices(a: PricedFacts, b: PricedFacts, sold: Sold): Keyed<Price> {
  const known = a.prices ?? {};
  const namedBy = ({ periods, addOns }: Sold, key: string) => periods[key] ?? addOns?.[key] ?? null;
  let merged = known;
  const stated = [b.periods, b.addOns ?? {}, b.prices ?? {}].flatMap(Object.keys);
  for (const key of new Set(stated)) {
    const best = mergePrice(
      namedBy(sold, key),
      { named: namedBy(a, key), beside: known[key] },
      { named: namedBy(b, key), beside: b.prices?.[key] },
    );
    if ((known[key] ?? null) === best) continue;
    if (merged === known) merged = { ...known };
    if (best) merged[key] = best;
    else delete merged[key];
  }
  return merged;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Returns `a` itself if no field of `merged` differs. */
function unlessSame<T extends object>(a: T, merged: T): T {
  const keys = new Set([...Object.keys(a), ...Object.keys(merged)]) as Set<keyof T>;
  return [...keys].every((key) => merged[key] === a[key]) ? a : merged;
}

/** For each statement, the later reading of the other system wins. */
function mergeImported(a: ImportedFacts | undefined, b: ImportedFacts | undefined) {
  if (!a || !b) return a ?? b;
  const ends = mergeEnds(a.ends, b.ends);
  const held = newest(a.held, b.held, beats);
  const guessed = newest(a.guessed, b.guessed, beats);
  const startedAtMs = Math.min(a.startedAtMs ?? Infinity, b.startedAtMs ?? Infinity);
  const importedAtMs = latest(a.importedAtMs, b.importedAtMs);
  const periods = mergeKeyed(a.periods, b.periods);
  const renewal = newest(a.renewal, b.renewal, beats);
  const prices = mergePrices(a, b, { periods });
  const known = mergeKnownFields(a, b, { periods, renewal });
  return unlessSame<ImportedFacts>(a, {
    periods,
    refunds: mergeKeyed(a.refunds, b.refunds),
    renewal,
    hints: newest(a.hints, b.hints, beats),
    ...(isEmpty(ends) ? {} : { ends }),
    ...(isEmpty(prices) ? {} : { prices }),
    ...(known && { known }),
    ...(held && { held }),
    ...(guessed && { guessed }),
    ...(startedAtMs !== Infinity && { startedAtMs }),
    ...(importedAtMs !== undefined && { importedAtMs }),
  });
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function mergeImportedPurchases(a: ImportedOneTimeFacts | undefined, b: ImportedOneTimeFacts | undefined) {
  if (!a || !b) return a ?? b;
  const importedAtMs = latest(a.importedAtMs, b.importedAtMs);
  const purchase = newest(a.purchase, b.purchase, beats);
  const hints = newest(a.hints, b.hints, beats);
  const known = mergeKnownPurchase(a, b, { purchase });
  return unlessSame<ImportedOneTimeFacts>(a, {
    purchase,
    ...(known && { known }),
    refund: newest(a.refund, b.refund, beats),
    ...(hints && { hints }),
    ...(importedAtMs !== undefined && { importedAtMs }),
  });
}

/** Commutative, associative and idempotent. Returns `a` itself if `b` adds nothing. */
export function mergeSubscriptionFacts(a: SubscriptionFacts, b: SubscriptionFacts): SubscriptionFacts {
  const periods = mergeKeyed(a.periods, b.periods);
  const addOns = mergeKeyed(a.addOns ?? {}, b.addOns ?? {});
  const extras = mergeKeyed(a.extras ?? {}, b.extras ?? {});
  const prices = mergePrices(a, b, { periods, addOns });
  const ends = mergeEnds(a.ends, b.ends);
  const continuations = mergeKeyed(a.continuations ?? {}, b.continuations ?? {});
  const imported = mergeImported(a.imported, b.imported);
  const merged: SubscriptionFacts = {
    periods,
    refunds: mergeKeyed(a.refunds, b.refunds),
    renewal: newest(a.renewal, b.renewal, renewalBeats),
    replaced: newest(a.replaced, b.replaced, replacementBeats),
    pending: newest(a.pending, b.pending, beats),
    hints: newest(a.hints, b.hints, beats),
    // Omitted if empty: facts are on the hot path, and few subscriptions have any of these.
    ...(isEmpty(ends) ? {} : { ends }),
    ...(isEmpty(addOns) ? {} : { addOns }),
    ...(isEmpty(extras) ? {} : { extras }),
    ...(isEmpty(continuations) ? {} : { continuations }),
    ...(isEmpty(prices) ? {} : { prices }),
    ...(imported && { imported }),
  };
  return unlessSame(a, merged);
}

export function mergeOneTimeFacts(a: OneTimeFacts, b: OneTimeFacts): OneTimeFacts {
  const purchase = newest(a.purchase, b.purchase, beats);
  const price = mergePrice(
    purchase,
    { named: a.purchase, beside: a.price },
    { named: b.purchase, beside: b.price },
  );
  const imported = mergeImportedPurchases(a.imported, b.imported);
  const merged: OneTimeFacts = {
    purchase,
    refund: newest(a.refund, b.refund, beats),
    hints: newest(a.hints, b.hints, beats),
    ...(price && { price }),
    ...(imported && { imported }),
  };
  return unlessSame(a, merged);
}
