import { numberFormat, trueMinus } from './format-number.js';

export interface MoneyOptions {
  /** Currency of the page; another one is shown with its code. */
  displayCurrency?: string;
  /** Shorten from 1 M. */
  compact?: boolean;
}

/** Whether the environment knows the code; stores send some that it does not. */
function isCurrency(code: string): boolean {
  return /^[A-Za-z]{3}$/.test(code);
}

/** An amount in major units, with the digits of its currency; null is an em dash. */
export function formatMoney(
  locale: string,
  amount: number | null | undefined,
  currency: string | null | undefined,
  { displayCurrency = 'USD', compact }: MoneyOptions = {},
): string {
  if (amount === null || amount === undefined || Number.isNaN(amount)) return '—';
  const short = compact && Math.abs(amount) >= 1_000_000;
  if (!currency || !isCurrency(currency)) {
    const plain = trueMinus(numberFormat(locale, { maximumFractionDigits: 6 }).format(amount));
    return currency ? `${plain} ${currency}` : plain;
  }
  const code = currency.toUpperCase();
  const options: Intl.NumberFormatOptions = {
    style: 'currency',
    currency: code,
    currencyDisplay: code === displayCurrency ? 'narrowSymbol' : 'code',
    ...(short ? { notation: 'compact', maximumFractionDigits: 2 } : {}),
  };
  return trueMinus(numberFormat(locale, options).format(amount));
}

/** Millionths of a currency unit as a number of units; the digits of the integer are moved, not multiplied. */
export function fromMicros(micros: number | string | bigint): number {
  const value = BigInt(micros);
  const digits = (value < 0n ? -value : value).toString().padStart(7, '0');
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`);
}
