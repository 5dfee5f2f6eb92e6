import { numberFormat } from './format-number.js';

const units = { Y: 'year', M: 'month', W: 'week', D: 'day' } as const;
const clock = { H: 'hour', M: 'minute', S: 'second' } as const;
const pattern = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const names = [...Object.values(units), ...Object.values(clock)];

/** Formats an ISO 8601 period ("1 month"). Other text remains unchanged; null is an em dash. */
export function formatPeriod(locale: string, period: string | null | undefined): string {
  if (period === null || period === undefined || period === '') return '—';
  const found = pattern.exec(period);
  const parts = names.flatMap((unit, index) => {
    const count = Number(found?.[index + 1] ?? 0);
    return count > 0
      ? [numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)]
      : [];
  });
  if (parts.length === 0) return period;
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(parts);
}

/** Formats a duration: milliseconds below 1 s, then seconds, minutes and hours. */
export function formatDuration(locale: string, ms: number | null | undefined): string {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return '—';
  const write = (value: number, unit: string, digits = 0) =>
    numberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 1000) return write(ms, 'millisecond');
  if (ms < 60_000) return write(ms / 1000, 'second', 1);
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return write(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return write(hours, 'hour');
  return write(Math.floor(hours / 24), 'day');
}
