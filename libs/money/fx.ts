import table from './fx-reference.json' with { type: 'json' };

/** Units of a currency per USD, by currency code. */
type Rates = Readonly<Record<string, number>>;

const MAX_DAYS_BACK = 7;
const DAY_MS = 86_400_000;

const days: Readonly<Record<string, Rates>> = table.latest;
const months: Readonly<Record<string, Rates>> = table.months;
const monthNames = Object.keys(months).sort();

export interface UsdConversion {
  usdMicros: number;
  /** Units of the currency per USD. */
  rate: number;
  /** The day (`YYYY-MM-DD`) or month (`YYYY-MM`) that the rate is of, as a day: a month counts as its first. */
  rateDay: string;
  rateSource: string;
}

interface FoundRate {
  rate: number;
  day: string;
}

/** A rate of the table; never something that all objects have. */
function rateIn(rates: Rates | undefined, currency: string): number | null {
  const rate: unknown = rates?.[currency];
  return typeof rate === 'number' ? rate : null;
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10);
}

/** The exact day, else the nearest earlier one of the last week. */
function dailyRate(currency: string, day: string): FoundRate | null {
  for (let back = 0; back <= MAX_DAYS_BACK; back++) {
    const candidate = dayBefore(day, back);
    const rate = rateIn(days[candidate], currency);
    if (rate !== null) return { rate, day: candidate };
  }
  return null;
}

/** The month, else the nearest older one, else the table's first. */
function monthlyRate(currency: string, month: string): FoundRate | null {
  const known = monthNames.filter((name) => rateIn(months[name], currency) !== null);
  const name = known.findLast((candidate) => candidate <= month) ?? known[0];
  const rate = name === undefined ? null : rateIn(months[name], currency);
  return rate === null ? null : { rate, day: `${name}-01` };
}

/** True for an ISO 4217 code that amounts can be converted from. */
export function isCurrency(code: string): boolean {
  return code === 'USD' || monthlyRate(code, '9999-12') !== null;
}

/**
 * An amount in USD at the rate of a day (`YYYY-MM-DD`, UTC), from the table that ships with the product.
 * Null for a currency without a rate.
 */
export function toUsdMicros(amount: {
  amountMicros: number;
  currency: string;
  day: string;
}): UsdConversion | null {
  const { amountMicros, currency, day } = amount;
  if (currency === 'USD') return { usdMicros: amountMicros, rate: 1, rateDay: day, rateSource: 'identity' };
  const found = dailyRate(currency, day) ?? monthlyRate(currency, day.slice(0, 7));
  if (!found) return null;
  const usdMicros = Math.sign(amountMicros) * Math.round(Math.abs(amountMicros) / found.rate);
  return { usdMicros, rate: found.rate, rateDay: found.day, rateSource: 'static' };
}
