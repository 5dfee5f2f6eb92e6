import { formatMoney, fromMicros } from './format-money.js';
import { formatFullNumber, formatNumber, formatPercent } from './format-number.js';
import { useFormat } from './format-context.js';

interface MoneyProps {
  amount?: number | null;
  /** An amount in micros instead of major units. */
  micros?: number | string | null;
  currency: string | null | undefined;
  compact?: boolean;
}

/** An amount of money with the digits of its currency. */
export function Money({ amount, micros, currency, compact }: MoneyProps) {
  const { locale } = useFormat();
  const value = amount ?? (micros === null || micros === undefined ? null : fromMicros(micros));
  const text = formatMoney(locale, value, currency, { compact });
  const full = formatMoney(locale, value, currency);
  return (
    <span
      data-none={text === '—' || undefined}
      className="whitespace-nowrap tabular-nums"
      data-tip={full === text ? undefined : full}
    >
      {text}
    </span>
  );
}

/** A count, or a share with `percent`. Compact numbers have the full number in the tooltip. */
export function Num({ value, percent }: { value: number | null | undefined; percent?: boolean }) {
  const { locale } = useFormat();
  const text = percent ? formatPercent(locale, value) : formatNumber(locale, value);
  const full = percent ? text : formatFullNumber(locale, value);
  return (
    <span
      data-none={text === '—' || undefined}
      className="whitespace-nowrap tabular-nums"
      data-tip={full === text ? undefined : full}
    >
      {text}
    </span>
  );
}
