import { useSyncExternalStore } from 'react';
import { IconButton } from '../button.js';
import { formatClock } from '../format/format-time.js';
import { useFormat, useNow } from '../format/format-context.js';

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

interface StaleNoteProps {
  /** Time of the data, epoch milliseconds. */
  at: number;
  onRefresh: () => unknown;
  busy?: boolean;
  /** Whether the last attempt failed while older data is shown. */
  unreachable?: boolean;
}

/** Shows "as of 14:03" with a refresh button if the data is older than a minute or the server is unreachable. */
export function StaleNote({ at, onRefresh, busy, unreachable }: StaleNoteProps) {
  const format = useFormat();
  const now = useNow();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const lost = unreachable || !online;
  if (at === 0 || (!lost && now - at < 60_000)) return null;
  const time = formatClock(format, at);
  return (
    <span className="inline-flex items-center gap-1 text-sm text-muted">
      {lost ? `Server not reachable, showing what was loaded at ${time}` : `as of ${time}`}
      <IconButton label="Refresh" icon="refresh" size="sm" busy={busy} onClick={() => onRefresh()} />
    </span>
  );
}
