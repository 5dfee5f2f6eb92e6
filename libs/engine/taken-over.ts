import { type EffectiveFacts, withPeriodKeys } from './effective-facts.js';
import type { EmittedState } from './model.js';

const none: ReadonlyMap<string, string> = new Map();

/**
 * Store keys of imported periods, by imported key, that their store has just reported for the first time. They remain
 * one charge and emit no new event.
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
    // If several turn out to be one period, the first keeps its charge and the others are reversed.
    const isFirst = ![...names.values()].includes(verified);
    if (isNew && isFirst && opened.includes(imported)) names.set(imported, verified);
  }
  return names;
}

function renamed<T>(record: Record<string, T> | undefined, names: ReadonlyMap<string, string>) {
  if (!record) return undefined;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** The emitted state under the stores' keys. Ledger rows keep their original keys. */
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
