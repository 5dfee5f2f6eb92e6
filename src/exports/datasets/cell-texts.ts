import type { ColumnType } from './dataset.model.js';

const SECONDS_LENGTH = 'YYYY-MM-DD HH:MM:SS'.length;

/** `2026-01-01 09:00:00.123+00` without milliseconds and zone. Years before 1 or after 9999 have other lengths. */
export function timeText(value: string): string {
  const next = value[SECONDS_LENGTH];
  if (next === '+' || next === '.') return value.slice(0, SECONDS_LENGTH);
  return value.replace(/(\.\d+)?\+00/, '');
}

/** A decimal of PostgreSQL, which never has an exponent or a negative zero, without trailing zeros. */
export function decimalText(value: string): string {
  if (!value.includes('.')) return value;
  let end = value.length;
  while (value[end - 1] === '0') end--;
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end);
}

const booleanText = (value: string): string => (value === 't' ? 'true' : 'false');
const unchanged = (value: string): string => value;

/** The text of a value in CSV, by the type of its column. */
export const cellTexts: Record<ColumnType, (value: string) => string> = {
  text: unchanged,
  boolean: booleanText,
  time: timeText,
  decimal: decimalText,
  micros: unchanged,
  integer: unchanged,
  json: unchanged,
};
