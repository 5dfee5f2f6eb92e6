import {
  displayCurrencies,
  type DisplayCurrency,
} from '../../../platform/exchange-rates/display-currencies.js';

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
export function wireValue(value: number, unit: '$' | '#' | '%', currency: DisplayCurrency): number {
  if (unit === '#') return value || 0;
  if (unit === '%') return roundTo(value, PERCENT_PLACES);
  return roundTo(value / MICROS, displayCurrencies[currency]);
}
