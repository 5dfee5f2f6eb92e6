import { rateRows, type RateRow } from './fx-table.js';
import { divideRounded } from './micros.js';

const MAX_DAYS_BACK = 7;
const DAY_MS = 86_400_000;
/** Makes every rate of the table (6 significant digits) a whole number. */
const RATE_SCALE = 1e9;

export interface UsdConversion {
  usdMicros: number;
  /** Units of the currency per USD. */
  rate: number;
  /** The day (`YYYY-MM-DD`) that the rate is of; with the row of a month, the day which stands for it. */
  rateDay: string;
  /**
   * `static`: from the table that ships with the product; `http`: fetched from a provider; `identity`: the
   * amount was in USD.
   */
  rateSource: 'static' | 'http' | 'identity';
}

/** Rows of single days by currency, oldest first, as a provider gave them. */
export type FetchedRates = ReadonlyMap<string, readonly RateRow[]>;

const nothingFetched: FetchedRates = new Map();

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The row that counts for a day: its own; else the nearest earlier daily one of a week; else that of its
 * month; else the nearest older one; else (a day before the table) the first. Rows come oldest first.
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

/** Fetched rates go before the table of the product, as long as they are of the day or of the week before it. */
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

/** True for an ISO 4217 code (upper case), with a rate or without. SDKs cannot decode an answer with any other. */
export function isIsoCurrency(code: string): boolean {
  return isoCodes.has(code);
}

/** True for an ISO 4217 code (upper case) that amounts can be converted from. */
export function isCurrency(code: string): boolean {
  return rateRows.has(code) && isIsoCurrency(code);
}

/** Units of a currency per USD on a day; null for a currency without a rate. */
export function usdRate(
  currency: string,
  day: string,
  fetched: FetchedRates = nothingFetched,
): number | null {
  return findRow(currency, day, fetched)?.[0].rate ?? null;
}

/**
 * An amount in USD at the rate of a day (`YYYY-MM-DD`, UTC), rounded to whole micros. Null for a currency
 * without a rate.
 * @throws RangeError when the amount is no integer or the day is none
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
