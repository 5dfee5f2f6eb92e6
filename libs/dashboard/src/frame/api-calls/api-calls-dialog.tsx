import { useState, useSyncExternalStore } from 'react';
import { callLog, type LoggedCall } from '../../api/call-log.js';
import { curlOf } from '../../api/curl.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { EmptyState } from '../../ui/loading/empty-state.js';
import { Time } from '../../ui/format/time.js';
import { operationOf } from './operation-link.js';

function StatusBadge({ status }: Pick<LoggedCall, 'status'>) {
  if (status === null) return <Badge>Running</Badge>;
  if (status === 'cancelled') return <Badge>Cancelled</Badge>;
  if (status === 0) return <Badge tone="bad">No answer</Badge>;
  return <Badge tone={status < 400 ? 'good' : 'bad'}>{String(status)}</Badge>;
}

function CallRow({ call }: { call: LoggedCall }) {
  const [isOpen, setIsOpen] = useState(false);
  const { method, template, path, body, status, durationMs, requestId, startedAtMs } = call;
  const operation = operationOf(`${method} ${template}`);
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={status} />
        <code className="min-w-0 grow text-sm [overflow-wrap:anywhere]">
          <b>{method}</b> {path}
        </code>
        <span className="text-sm text-muted tabular-nums">
          {durationMs !== null && `${durationMs} ms · `}
          <Time ms={startedAtMs} />
        </span>
        <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          curl
        </Button>
      </div>
      {isOpen && (
        <>
          <CodeBlock
            label="curl"
            copy
            code={curlOf({ method, path, body: body ?? undefined }, location.origin)}
          />
          <p className="flex flex-wrap items-center gap-x-4 text-sm">
            {operation && (
              <a href={operation.href} target="_blank" rel="noopener">
                Documentation of {operation.id}
              </a>
            )}
            {requestId !== null && (
              <span className="flex items-center gap-1 text-muted">
                Request id <CopyId id={requestId} />
              </span>
            )}
          </p>
        </>
      )}
    </li>
  );
}

/** The calls of this tab, newest first, each as curl. */
export function ApiCallsDialog({ onClose }: { onClose: () => void }) {
  const calls = useSyncExternalStore(callLog.subscribe, callLog.current);
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="API calls"
      description="Everything here uses the public API. A script can do the same with a secret key."
    >
      {calls.length === 0 ? (
        <EmptyState sentence="No calls in this tab yet." />
      ) : (
        <ul className="divide-y divide-line">
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}
