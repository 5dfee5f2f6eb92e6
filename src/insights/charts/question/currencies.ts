/** Currencies of charts, and their decimal places. */
export const chartCurrencies = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  AUD: 2,
  CAD: 2,
  JPY: 0,
  BRL: 2,
  KRW: 0,
  CNY: 2,
  MXN: 2,
  SEK: 2,
  PLN: 2,
  NZD: 2,
  CHF: 2,
} as const;

export type ChartCurrency = keyof typeof chartCurrencies;

export const currencyNames = Object.keys(chartCurrencies) as ChartCurrency[];

const PERCENT_PLACES = 2;

/** Rounds half away from zero; never returns -0. */
function roundTo(value: number, places: number): number {
  const factor = 10 ** places;
  // A decimal half must not be lost in the binary representation.
  const scaled = Number((Math.abs(value) * factor).toPrecision(15));
  return (Math.sign(value) * Math.round(scaled)) / factor || 0;
}

const MICROS = 1_000_000;

/** Converts a value for responses: micros to major units, rates to percent; counts remain unchanged. */
export function wireValue(value: number, unit: '$' | '#' | '%', currency: ChartCurrency): number {
  if (unit === '#') return value || 0;
  if (unit === '%') return roundTo(value, PERCENT_PLACES);
  return roundTo(value / MICROS, chartCurrencies[currency]);
}
