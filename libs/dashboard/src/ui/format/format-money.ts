import { numberFormat, trueMinus } from './format-number.js';

export interface MoneyOptions {
  /** Abbreviates from 1 M. */
  compact?: boolean;
}

/** Whether the runtime knows the code; stores also send unknown ones. */
function isCurrency(code: string): boolean {
  return /^[A-Za-z]{3}$/.test(code);
}

/** Formats an amount in major units, with the symbol and digits of its currency; null is an em dash. */
export function formatMoney(
  locale: string,
  amount: number | null | undefined,
  currency: string | null | undefined,
  { compact }: MoneyOptions = {},
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
    ...(short ? { notation: 'compact', maximumFractionDigits: 2 } : {}),
  };
  return trueMinus(numberFormat(locale, options).format(amount));
}

/** Formats an amount for the axis of a chart: `€2K`, `−$1.5M`. */
export function formatAxisMoney(locale: string, amount: number, currency: string): string {
  const options: Intl.NumberFormatOptions = {
    notation: 'compact',
    maximumFractionDigits: 2,
    ...(isCurrency(currency)
      ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol', minimumFractionDigits: 0 }
      : {}),
  };
  return trueMinus(numberFormat(locale, options).format(amount));
}

/** Converts micros to major units. Moves the decimal point in the digits, to avoid rounding errors. */
export function fromMicros(micros: number | string | bigint): number {
  const value = BigInt(micros);
  const digits = (value < 0n ? -value : value).toString().padStart(7, '0');
  return Number(`${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`);
}
