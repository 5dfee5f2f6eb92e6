/** How often an app's store sent an unknown value. */
export interface CountedValue {
  field: string;
  value: string;
  count: number;
  firstSeenAtMs: number;
  lastSeenAtMs: number;
}

/** Name of all values beyond the limit of a field together. */
export const OTHER_VALUES = '(other)';
const MAX_VALUES_OF_FIELD = 50;
const MAX_LENGTH = 64;

/** Values come from outside, so they are cut to 64 printable ASCII characters. */
export function printable(value: string): string {
  return value.slice(0, MAX_LENGTH).replace(/[^ -~]/g, '?');
}

/** Adds up two counts of the same value. */
export function added(one: CountedValue | undefined, other: CountedValue): CountedValue {
  if (!one) return other;
  return {
    ...other,
    count: one.count + other.count,
    firstSeenAtMs: Math.min(one.firstSeenAtMs, other.firstSeenAtMs),
    lastSeenAtMs: Math.max(one.lastSeenAtMs, other.lastSeenAtMs),
  };
}

/**
 * Counts values beyond the limit of their field as other values. `known`: the values of these fields that are already
 * stored.
 */
export function withinLimit(
  counted: CountedValue[],
  known: Pick<CountedValue, 'field' | 'value'>[],
): CountedValue[] {
  const stored = new Map<string, Set<string>>();
  const valuesOf = (field: string): Set<string> => {
    const values = stored.get(field) ?? new Set();
    stored.set(field, values);
    return values;
  };
  for (const { field, value } of known) if (value !== OTHER_VALUES) valuesOf(field).add(value);
  const kept = new Map<string, CountedValue>();
  for (const one of counted) {
    const values = valuesOf(one.field);
    const fits = values.has(one.value) || values.size < MAX_VALUES_OF_FIELD;
    if (fits) values.add(one.value);
    const value = fits ? one.value : OTHER_VALUES;
    const key = JSON.stringify([one.field, value]);
    kept.set(key, added(kept.get(key), { ...one, value }));
  }
  return [...kept.values()];
}
