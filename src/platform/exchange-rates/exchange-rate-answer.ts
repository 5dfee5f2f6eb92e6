import { isJsonObject } from '../../../libs/kernel/index.js';
import { isCurrency } from '../../../libs/money/index.js';

const SIGNIFICANT_DIGITS = 6;
/** A rate that differs from the newest known one by this factor is treated as an error of the provider. */
const IMPLAUSIBLE_FACTOR = 3;
/** Older rates would never be used. */
const MAX_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/** A provider's response that must not be used. The message is for the operator. */
export class ExchangeRatesRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExchangeRatesRefused';
  }
}

export interface DayRates {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Units per USD of each known currency except USD, 6 significant digits. */
  rates: Record<string, number>;
  /** Currencies whose rate differs too much from the known one. */
  implausible: string[];
}

export interface KnownRates {
  nowMs: number;
  /** Newest known units per USD, or null if none. */
  rateOf(currency: string): number | null;
}

function dayIn(value: unknown, nowMs: number): string {
  const dayMs = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(dayMs)) throw new ExchangeRatesRefused('`date` is not a day (YYYY-MM-DD).');
  if (dayMs > nowMs) throw new ExchangeRatesRefused(`The rates are of the future (${value as string}).`);
  if (dayMs < nowMs - (MAX_AGE_DAYS + 1) * DAY_MS) {
    throw new ExchangeRatesRefused(`The rates are old (${value as string}).`);
  }
  return value as string;
}

/** Positive rates of known currencies, in units per unit of the base. */
function ratesIn(answer: Record<string, unknown>): { base: string; rates: Map<string, number> } {
  const base = typeof answer.base === 'string' ? answer.base.toUpperCase() : '';
  if (!isCurrency(base)) throw new ExchangeRatesRefused('`base` is not a known currency.');
  if (!isJsonObject(answer.rates)) throw new ExchangeRatesRefused('`rates` is not an object.');
  const rates = new Map<string, number>([[base, 1]]);
  for (const [name, rate] of Object.entries(answer.rates)) {
    const currency = name.toUpperCase();
    if (!isCurrency(currency) || currency === base) continue;
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) {
      throw new ExchangeRatesRefused(`The rate of ${currency} is not a positive number.`);
    }
    rates.set(currency, rate);
  }
  return { base, rates };
}

/** Parses a response `{base, date, rates}`. @throws ExchangeRatesRefused */
export function readExchangeRates(body: string, known: KnownRates): DayRates {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new ExchangeRatesRefused('The answer is not JSON.');
  }
  if (!isJsonObject(answer)) throw new ExchangeRatesRefused('The answer is not an object.');
  const day = dayIn(answer.date, known.nowMs);
  const { base, rates } = ratesIn(answer);
  const dollar = rates.get('USD');
  if (dollar === undefined)
    throw new ExchangeRatesRefused(`There is no rate of USD beside the base ${base}.`);
  rates.delete('USD');
  const plausible: Record<string, number> = {};
  const implausible: string[] = [];
  for (const [currency, rate] of rates) {
    const perDollar = Number((rate / dollar).toPrecision(SIGNIFICANT_DIGITS));
    const before = known.rateOf(currency) ?? perDollar;
    if (Math.max(perDollar / before, before / perDollar) < IMPLAUSIBLE_FACTOR)
      plausible[currency] = perDollar;
    else implausible.push(currency);
  }
  if (rates.size === 0) throw new ExchangeRatesRefused('There is no rate of any known currency.');
  if (implausible.length >= Object.keys(plausible).length) {
    throw new ExchangeRatesRefused('Most rates are far from the ones known before.');
  }
  return { day, rates: plausible, implausible };
}
