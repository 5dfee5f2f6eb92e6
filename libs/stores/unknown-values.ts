import type { UnknownValue } from './contract.js';

/** The values of an enumerated field, separated by spaces. */
export function listed(values: string, prefix = ''): ReadonlySet<unknown> {
  return new Set(values.split(' ').map((value) => `${prefix}${value}`));
}

/** Reports the value of an enumerated field that is not one of the known ones. An absent field has no value. */
export function unknownOf(field: string, value: unknown, known: ReadonlySet<unknown>): UnknownValue[] {
  if (value === undefined || value === null || value === '' || known.has(value)) return [];
  return [{ field, value: typeof value === 'string' ? value : JSON.stringify(value) }];
}

/** Each value once: a store can send it in many objects of one answer. */
export function distinct(values: readonly UnknownValue[]): UnknownValue[] {
  return [...new Map(values.map((one) => [JSON.stringify([one.field, one.value]), one])).values()];
}

/** For results that report unknown values only if there are any. */
export function withUnknown<Result extends object>(
  result: Result,
  values: readonly UnknownValue[],
): Result & { unknown?: UnknownValue[] } {
  return values.length === 0 ? result : { ...result, unknown: distinct(values) };
}
