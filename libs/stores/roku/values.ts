import { isStoreTime } from '../../kernel/index.js';

/** `/Date(1767225600000+0000)/`: milliseconds in UTC, whatever the offset. */
const JSON_DATE = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;
/** Up to nine fractional digits; UTC without an offset. */
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Epoch ms; null if the value is not a time. */
export function rokuTime(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const [, ms] = JSON_DATE.exec(value) ?? [];
  const atMs = ms === undefined ? isoTime(value) : Number(ms);
  return isStoreTime(atMs) ? atMs : null;
}

function isoTime(value: string): number | null {
  const [, day, time = '00:00:00', fraction = '.0', zone = 'Z'] = ISO_DATE.exec(value) ?? [];
  if (day === undefined) return null;
  return Date.parse(`${day}T${time}${fraction.slice(0, 4).padEnd(4, '0')}${zone}`);
}

/** Accepts a number, or a number as text. */
export function rokuMicros(value: unknown): number | null {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return null;
  const micros = Math.round(amount * 1_000_000);
  return Number.isSafeInteger(micros) ? micros : null;
}

export function rokuText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Accepts `true` and `"true"`. */
export function rokuFlag(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}
