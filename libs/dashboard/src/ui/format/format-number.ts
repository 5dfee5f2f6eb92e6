const cache = new Map<string, Intl.NumberFormat>();

/** Caches formatters per locale and options, because creating them is expensive. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let format = cache.get(key);
  if (!format) cache.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

/** Uses a real minus sign, whatever the locale uses. */
export const trueMinus = (text: string) => text.replace(/[-\u2010-\u2012]/g, '−');

type Amount = number | null | undefined;

const missing = (value: Amount): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

/** Formats a count with grouping; compact from 1 M. */
export function formatNumber(locale: string, value: Amount): string {
  if (missing(value)) return '—';
  const options: Intl.NumberFormatOptions =
    Math.abs(value) >= 1_000_000
      ? { notation: 'compact', maximumFractionDigits: 2 }
      : { maximumFractionDigits: 2 };
  return trueMinus(numberFormat(locale, options).format(value));
}

/** Formats every digit, for the tooltip of a compact number. */
export const formatFullNumber = (locale: string, value: Amount): string =>
  missing(value) ? '—' : trueMinus(numberFormat(locale, { maximumFractionDigits: 6 }).format(value));

/** Formats a share (0.125 is 12.5%) with one decimal. */
export const formatPercent = (locale: string, share: Amount): string =>
  missing(share)
    ? '—'
    : trueMinus(
        numberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
          share,
        ),
      );

/** Formats a count for the axis of a chart: `1.5K`. */
export const formatAxisNumber = (locale: string, value: number): string =>
  trueMinus(numberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 }).format(value));
