/** Currencies to which answers convert amounts, and their decimal places. */
export const displayCurrencies = {
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

export type DisplayCurrency = keyof typeof displayCurrencies;

export const displayCurrencyNames = Object.keys(displayCurrencies) as DisplayCurrency[];
