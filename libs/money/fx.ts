import { rateRows, type RateRow } from './fx-table.js';
import { divideRounded } from './micros.js';

const MAX_DAYS_BACK = 7;
const DAY_MS = 86_400_000;
/** Converts every rate of the table (6 significant digits) to an integer. */
const RATE_SCALE = 1e9;

export interface UsdConversion {
  usdMicros: number;
  /** Units of the currency per USD. */
  rate: number;
  /** The day of the rate (`YYYY-MM-DD`); for a monthly row, the day that represents the month. */
  rateDay: string;
  /** `static`: from the shipped table; `http`: fetched from a provider; `identity`: the amount was in USD. */
  rateSource: 'static' | 'http' | 'identity';
}

/** Daily rows by currency, oldest first, as fetched from a provider. */
export type FetchedRates = ReadonlyMap<string, readonly RateRow[]>;

const nothingFetched: FetchedRates = new Map();

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The row for a day: its own, else the latest daily row of the week before, else its month's, else the latest older
 * row, else the first row (for days before the table). `rows` are sorted, oldest first.
 */
export function rowFor(rows: readonly RateRow[], day: string): RateRow | undefined {
  const oldestDay = dayBefore(day, MAX_DAYS_BACK);
  const month = day.slice(0, 7);
  return (
    rows.findLast((row) => row.month === null && row.day >= oldestDay && row.day <= day) ??
    rows.find((row) => row.month === month) ??
    rows.findLast((row) => row.day <= day) ??
    rows[0]
  );
}

/** A fetched rate takes precedence if it is from the same day or the week before. */
function findRow(currency: string, day: string, fetched: FetchedRates): [RateRow, 'static' | 'http'] | null {
  const ours = rateRows.get(currency) ?? [];
  const theirs = fetched.get(currency) ?? [];
  const oldestDay = dayBefore(day, MAX_DAYS_BACK);
  const recent = theirs.findLast((row) => row.day >= oldestDay && row.day <= day);
  if (recent) return [recent, 'http'];
  const row = rowFor(theirs.length === 0 ? ours : [...ours, ...theirs].sort(byDay), day);
  return row ? [row, theirs.includes(row) ? 'http' : 'static'] : null;
}

const byDay = (a: RateRow, b: RateRow): number => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0);

const isoCodes = new Set(Intl.supportedValuesOf('currency'));

/** Whether this is an ISO 4217 code (upper case), with or without a rate. SDKs cannot decode any other codes. */
export function isIsoCurrency(code: string): boolean {
  return isoCodes.has(code);
}

export function isCurrency(code: string): boolean {
  return rateRows.has(code) && isIsoCurrency(code);
}

/** Units of the currency per USD; null for a currency without a rate. */
export function usdRate(
  currency: string,
  day: string,
  fetched: FetchedRates = nothingFetched,
): number | null {
  return findRow(currency, day, fetched)?.[0].rate ?? null;
}

/**
 * Converts at the rate of a UTC day (`YYYY-MM-DD`), rounded to whole micros. Null for a currency without a rate.
 * @throws RangeError unless the amount is an integer and the day is valid
 */
export function toUsdMicros(
  amount: { amountMicros: number; currency: string; day: string },
  fetched: FetchedRates = nothingFetched,
): UsdConversion | null {
  const { amountMicros, currency, day } = amount;
  if (currency === 'USD') return { usdMicros: amountMicros, rate: 1, rateDay: day, rateSource: 'identity' };
  const found = findRow(currency, day, fetched);
  if (!found) return null;
  const [row, rateSource] = found;
  const scaledRate = BigInt(Math.round(row.rate * RATE_SCALE));
  const usdMicros = Number(divideRounded(BigInt(amountMicros) * BigInt(RATE_SCALE), scaledRate));
  return { usdMicros, rate: row.rate, rateDay: row.day, rateSource };
}
