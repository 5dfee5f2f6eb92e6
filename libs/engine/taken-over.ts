import { type EffectiveFacts, withPeriodKeys } from './effective-facts.js';
import type { EmittedState } from './model.js';

const none: ReadonlyMap<string, string> = new Map();

/**
 * Imported periods that have just been reported by their store: the key so far and the store's. They stay what they
 * were (one charge, no new event), under the store's key.
 */
export function newlyTakenOver(
  before: EffectiveFacts | null,
  after: EffectiveFacts,
  opened: readonly string[],
): ReadonlyMap<string, string> {
  if (!before || !after.takenOver) return none;
  const names = new Map<string, string>();
  for (const [imported, verified] of after.takenOver) {
    const isNew = Object.hasOwn(before.periods, imported) && !Object.hasOwn(before.periods, verified);
    // Of several that turn out to be one period, the first keeps its charge; the others' are taken back.
    const isFirst = ![...names.values()].includes(verified);
    if (isNew && isFirst && opened.includes(imported)) names.set(imported, verified);
  }
  return names;
}

function renamed<T>(record: Record<string, T> | undefined, names: ReadonlyMap<string, string>) {
  if (!record) return undefined;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** The emitted state under the stores' keys. Ledger rows keep the keys that they were recorded with. */
export function emittedUnder(emitted: EmittedState, names: ReadonlyMap<string, string>): EmittedState {
  if (names.size === 0) return emitted;
  const keyOf = (key: string): string => names.get(key) ?? key;
  const { billing, refunds, pause, booked = {} } = emitted;
  const bookedNow = { ...booked };
  for (const [imported, verified] of names) {
    bookedNow[verified] = booked[imported] ?? imported;
    delete bookedNow[imported];
  }
  return {
    ...emitted,
    opened: emitted.opened.map(keyOf).sort(),
    expirations: renamed(emitted.expirations, names) ?? {},
    ...(billing && { billing: billing.map(keyOf) }),
    ...(refunds && { refunds: renamed(refunds, names) }),
    ...(pause !== undefined && { pause: keyOf(pause) }),
    booked: bookedNow,
  };
}

export function factsUnder(facts: EffectiveFacts, names: ReadonlyMap<string, string>): EffectiveFacts {
  return names.size === 0 ? facts : withPeriodKeys(facts, names);
}
