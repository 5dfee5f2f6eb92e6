import type { Condition } from './model.js';

const comparable = ['country', 'app_config', 'platform'];

function excludes(a: Condition, b: Condition): boolean {
  if (a.field !== b.field || !comparable.includes(a.field) || a.operator !== 'in') return false;
  const other = new Set((b.value as (string | number)[]).map(String));
  const values = (a.value as (string | number)[]).map(String);
  if (b.operator === 'in') return !values.some((value) => other.has(value));
  return values.every((value) => other.has(value));
}

/** Returns false if no request can meet both lists of conditions; true if unknown. */
export function mayOverlap(a: readonly Condition[], b: readonly Condition[]): boolean {
  return !a.some((one) => b.some((other) => excludes(one, other) || excludes(other, one)));
}
