import { useSyncExternalStore } from 'react';
import { callLog } from '../api/call-log.js';
import { Icon } from '../ui/icons.js';
import { Time } from '../ui/format/time.js';

/** Time of the server's last response if the latest completed call got none; null while it responds. */
function lastAnswerMs(): number | null {
  const finished = callLog.current().filter(({ status }) => typeof status === 'number');
  if (finished.length === 0 || finished[0]!.status !== 0) return null;
  return finished.find(({ status }) => status !== 0)?.startedAtMs ?? finished[0]!.startedAtMs;
}

/** Notes that the data is old because the server is unreachable. */
export function OfflineNote() {
  const sinceMs = useSyncExternalStore(callLog.subscribe, lastAnswerMs);
  if (sinceMs === null) return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-line bg-panel px-6 py-1.5 text-sm text-warn max-md:px-4"
    >
      <Icon name="warning" />
      <span>
        Server not reachable, showing what was loaded <Time ms={sinceMs} />.
      </span>
    </p>
  );
}
