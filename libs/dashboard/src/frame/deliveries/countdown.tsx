import { useEffect, useState } from 'react';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDuration } from '../../ui/format/period.js';
import type { LoggedDelivery } from './delivery.js';

const MINUTE_MS = 60_000;

/** Formats "4:10" below an hour, so that seconds count down, and longer times in words. */
function written(locale: string, ms: number): string {
  if (ms >= 60 * MINUTE_MS) return formatDuration(locale, ms);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Time until a pending delivery is sent. */
export function Countdown({ delivery }: { delivery: Pick<LoggedDelivery, 'status' | 'next_attempt_at'> }) {
  const { locale } = useFormat();
  const [now, setNow] = useState(Date.now);
  const { status, next_attempt_at: at } = delivery;
  const isWaiting = status === 'pending' && at !== null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (status !== 'pending') return null;
  if (at === null) return 'Sending now';
  const left = at - now;
  return (
    <time dateTime={new Date(at).toISOString()} className="whitespace-nowrap tabular-nums">
      {left <= 0 ? 'Due now' : `in ${written(locale, left)}`}
    </time>
  );
}
