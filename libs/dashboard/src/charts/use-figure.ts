import { useMemo } from 'react';
import { useFormat } from '../ui/format/format-context.js';
import { formatAxisMoney, formatMoney } from '../ui/format/format-money.js';
import { formatAxisNumber, formatNumber, formatPercent } from '../ui/format/format-number.js';

const PERCENT = 100;

/** Formats a figure by its unit. Null, for a rate whose denominator is 0, is a dash. */
export function useFigure(currency: string) {
  const { locale } = useFormat();
  return (value: number | null, unit: string): string => {
    if (value === null) return '–';
    if (unit === '$') return formatMoney(locale, value, currency);
    return unit === '#' ? formatNumber(locale, value) : formatPercent(locale, value / PERCENT);
  };
}

/** Formats the labels of an axis, shorter than figures. */
export function useAxisFigure(currency: string, unit: string) {
  const { locale } = useFormat();
  return useMemo(
    () =>
      (value: number): string => {
        if (unit === '$') return formatAxisMoney(locale, value, currency);
        return unit === '#' ? formatAxisNumber(locale, value) : `${formatAxisNumber(locale, value)}%`;
      },
    [locale, currency, unit],
  );
}
