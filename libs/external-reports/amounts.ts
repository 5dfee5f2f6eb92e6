import { divideRounded } from '../money/index.js';
import type { MilliAmounts, ReportContext, ReportItem } from './model.js';

/** Currencies in which Apple accepts reports. */
const reportingCurrencies: ReadonlySet<string> = new Set(
  (
    'CLP EUR QAR COP VND EGP THB HKD NOK BRL GBP AUD SEK INR BGN ZAR KZT NGN TWD MXN CHF PEN DKK AED ILS KRW PHP ' +
    'TZS PKR HUF IDR CNY MYR RUB RON SGD TRY CZK SAR USD NZD PLN JPY CAD'
  ).split(' '),
);

const ALL_BPS = 10_000n;
const MICROS_PER_MILLI = 1_000n;
/** Rates have at most ten decimals, so that amounts can be computed with integers. */
const RATE_SCALE = 1e10;

/** The tax within an amount that includes it. */
export function includedTax(amountMicros: number, bps: number): number {
  return Number(divideRounded(BigInt(amountMicros) * BigInt(bps), ALL_BPS + BigInt(bps)));
}

/** The same share of `whole` as `part` is of `of`. */
export function shareOf(whole: number, part: number, of: number): number {
  return of === 0 ? 0 : Number(divideRounded(BigInt(whole) * BigInt(part), BigInt(of)));
}

/** Units of one currency per unit of another on a day (UTC). `usdRateOf`: units per USD; null if unknown. */
export function crossRate(
  from: string,
  to: string,
  atMs: number,
  usdRateOf: (currency: string, day: string) => number | null,
): number | null {
  const day = new Date(atMs).toISOString().slice(0, 10);
  const [perUsd, wanted] = [from, to].map((code) => (code === 'USD' ? 1 : usdRateOf(code, day)));
  return perUsd && wanted ? wanted / perUsd : null;
}

type RateSource = Pick<ReportContext, 'fallbackCurrency' | 'exchangeRate'>;

export function reportingOf(currency: string, atMs: number, context: RateSource): ReportItem['reporting'] {
  if (reportingCurrencies.has(currency)) return { currency, rate: 1 };
  const { fallbackCurrency, exchangeRate } = context;
  const rate = Math.round((exchangeRate(currency, fallbackCurrency, atMs) ?? 0) * RATE_SCALE) / RATE_SCALE;
  return { currency: fallbackCurrency, rate: rate > 0 ? rate : null };
}

/** Thousandths of the reporting currency. */
function milliUnits(micros: number, rate: number): number {
  const scaled = BigInt(micros) * BigInt(Math.round(rate * RATE_SCALE));
  return Number(divideRounded(scaled, MICROS_PER_MILLI * BigInt(RATE_SCALE)));
}

/** Null until all amounts are known. The rounded parts add up to the rounded amount. */
export function milliAmounts({ amountMicros, taxMicros, reporting }: ReportItem): MilliAmounts | null {
  if (amountMicros === null || taxMicros === null || !reporting?.rate) return null;
  const inclusive = milliUnits(amountMicros, reporting.rate);
  const tax = milliUnits(taxMicros, reporting.rate);
  return { inclusive, exclusive: inclusive - tax, tax };
}

/** Less than the rounded amounts of a refund where the rounded amounts of other refunds left less. */
export function withinRest(own: MilliAmounts, rest: MilliAmounts): MilliAmounts {
  const inclusive = Math.min(own.inclusive, rest.inclusive);
  const tax = Math.min(Math.max(own.tax, inclusive - rest.exclusive), rest.tax);
  return { inclusive, exclusive: inclusive - tax, tax };
}

/** Remainder of a charge in thousandths; null if an amount is unknown. */
export function milliRest(charge: ReportItem, refunds: readonly ReportItem[]): MilliAmounts | null {
  const rest = charge.milli && { ...charge.milli };
  for (const { milli } of refunds) {
    if (rest === null || milli === null) return null;
    rest.inclusive -= milli.inclusive;
    rest.exclusive -= milli.exclusive;
    rest.tax -= milli.tax;
  }
  return rest;
}
