import { useFormat } from '../ui/format/format-context.js';
import { formatMoney } from '../ui/format/format-money.js';
import { formatNumber, numberFormat, trueMinus } from '../ui/format/format-number.js';

/** Formats a figure by its unit. Null, for a rate whose denominator is 0, is a dash. */
export function useFigure(currency: string) {
  const { locale } = useFormat();
  return (value: number | null, unit: string): string => {
    if (value === null) return '–';
    if (unit === '$') return formatMoney(locale, value, currency);
    if (unit === '#') return formatNumber(locale, value);
    return trueMinus(
      numberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 2 }).format(value),
    );
  };
}
