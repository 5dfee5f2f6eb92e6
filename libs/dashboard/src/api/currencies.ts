import type { Query } from './types.js';

const currencyNames = {
  USD: true,
  EUR: true,
  GBP: true,
  AUD: true,
  CAD: true,
  JPY: true,
  BRL: true,
  KRW: true,
  CNY: true,
  MXN: true,
  SEK: true,
  PLN: true,
  NZD: true,
  CHF: true,
} satisfies Record<NonNullable<Query<'getChart'>['currency']>, true>;

/** Currencies to which the server converts amounts. */
export const currencies = Object.keys(currencyNames) as (keyof typeof currencyNames)[];
