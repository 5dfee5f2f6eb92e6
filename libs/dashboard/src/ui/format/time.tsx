import { formatDateTime, formatDate, formatFullTime, formatRelative, toMs } from './format-time.js';
import { useFormat, useNow } from './format-context.js';

interface TimeProps {
  ms?: number | null;
  iso?: string | null;
  /** `auto`: relative up to 7 days, then date and time; `full`: always date and time; `date`: no time of day. */
  show?: 'auto' | 'full' | 'date';
  /** Replaces a missing time. */
  none?: string;
}

/** A time in the person's time zone. Its tooltip contains seconds, zone, UTC and epoch milliseconds. */
export function Time({ ms, iso, show = 'auto', none = '—' }: TimeProps) {
  const format = useFormat();
  const now = useNow();
  const at = toMs(ms ?? iso);
  if (at === null)
    return (
      <span data-none className="text-muted">
        {none}
      </span>
    );
  const utc = new Date(at).toISOString();
  const text =
    show === 'date'
      ? formatDate(format, at)
      : ((show === 'auto' ? formatRelative(format.locale, at, now) : null) ?? formatDateTime(format, at));
  return (
    <time
      dateTime={utc}
      data-tip={`${formatFullTime(format, at)}\n${utc}\n${at}`}
      className="whitespace-nowrap tabular-nums"
    >
      {text}
    </time>
  );
}
