const cache = new Map<string, Intl.DateTimeFormat>();

/** Caches formatters per locale, zone and options, because creating them is expensive. */
function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let format = cache.get(key);
  if (!format) cache.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  return format;
}

export interface TimeZoned {
  locale: string;
  timeZone: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Parses an ISO time or epoch milliseconds to milliseconds; null if it is neither. */
export function toMs(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const ms = typeof value === 'number' ? value : Date.parse(value);
  return Math.abs(ms) <= 8.64e15 ? ms : null;
}

const relatives = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(locale: string, numeric: 'auto' | 'always'): Intl.RelativeTimeFormat {
  const key = `${locale} ${numeric}`;
  let format = relatives.get(key);
  if (!format)
    relatives.set(key, (format = new Intl.RelativeTimeFormat(locale, { numeric, style: 'short' })));
  return format;
}

/** Formats "3 min ago" or "in 2 days", up to 7 days; null beyond. */
export function formatRelative(locale: string, ms: number, now: number): string | null {
  const distance = ms - now;
  const size = Math.abs(distance);
  if (size > 7 * day) return null;
  const write = (value: number, unit: Intl.RelativeTimeFormatUnit) => {
    const text = relativeFormat(locale, value === 0 ? 'auto' : 'always').format(value, unit);
    // American English has a period: "3 min. ago".
    return locale.startsWith('en') ? text.replace('.', '') : text;
  };
  // The clock for relative times may be 15 seconds behind.
  if (size < 5_000 || (distance > 0 && distance < 20_000)) return write(0, 'second');
  if (size < minute) return write(Math.trunc(distance / 1000), 'second');
  if (size < hour) return write(Math.trunc(distance / minute), 'minute');
  if (size < day) return write(Math.trunc(distance / hour), 'hour');
  return write(Math.trunc(distance / day), 'day');
}

/** Such as "23 Nov 2026". */
export const formatDate = ({ locale, timeZone }: TimeZoned, ms: number) =>
  dateFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(ms);

/** Such as "14:03". */
export const formatClock = ({ locale, timeZone }: TimeZoned, ms: number) =>
  dateFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(ms);

/** Such as "23 Nov 2026, 14:03". */
export const formatDateTime = ({ locale, timeZone }: TimeZoned, ms: number) =>
  dateFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(ms);

/** Date and time to the second, with the time zone's name. */
export const formatFullTime = ({ locale, timeZone }: TimeZoned, ms: number) =>
  dateFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(ms);

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns midnight UTC of a day `YYYY-MM-DD`; null if the day does not exist. */
export function dayToMs(value: string): number | null {
  const found = dayPattern.exec(value);
  if (!found) return null;
  const ms = Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3]));
  return msToDay(ms) === value ? ms : null;
}

/** Returns the UTC day of a time, `YYYY-MM-DD`. */
export const msToDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Adds days to a day. */
export function addDays(value: string, days: number): string {
  const ms = dayToMs(value);
  return ms === null ? value : msToDay(ms + days * day);
}

/** Formats a UTC day, independent of the time zone. */
export function formatDay(locale: string, value: string, short = false): string {
  const ms = dayToMs(value);
  if (ms === null) return value;
  return dateFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(short ? {} : { year: 'numeric' }),
  }).format(ms);
}

/** Formats a range of UTC days, both included: "Jul 1 – Sep 30, 2026". */
export function formatDays(locale: string, start: string, end: string): string {
  const [from, to] = [dayToMs(start), dayToMs(end)];
  if (from === null || to === null) return `${start} – ${end}`;
  return dateFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).formatRange(from, to);
}
