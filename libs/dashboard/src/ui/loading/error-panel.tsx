import { Button } from '../button.js';
import { CopyButton } from '../text/copy-button.js';
import { DataText } from '../text/data-text.js';
import { Icon } from '../icons.js';
import { toShownError } from './shown-error.js';

interface ErrorPanelProps {
  error: unknown;
  onRetry?: () => unknown;
  /** Whether the next attempt is running. */
  retrying?: boolean;
  /** Seconds until the next automatic attempt. */
  retryIn?: number | null;
  /** A note shown meanwhile. */
  note?: string;
}

/** An error with the server's message, and possible actions. */
export function ErrorPanel({ error, onRetry, retrying, retryIn, note }: ErrorPanelProps) {
  const { message, docUrl, requestId, retryable } = toShownError(error);
  return (
    <div className="flex flex-col items-start gap-2 px-4 py-5" role="alert">
      <div className="flex gap-2">
        <Icon name="error" className="mt-0.5 text-bad" />
        <p className="min-w-0">
          <DataText>{message}</DataText>
          {note && <span className="block text-muted">{note}</span>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 ps-6 text-sm text-muted">
        {onRetry && (retryable || retrying) && (
          <Button size="sm" icon="refresh" busy={retrying} onClick={() => onRetry()}>
            Retry
          </Button>
        )}
        {/* The countdown is not announced, because it is not worth an interruption. */}
        <span aria-hidden="true" className="tabular-nums empty:hidden">
          {retrying ? 'Trying again' : typeof retryIn === 'number' && `Trying again in ${retryIn} s`}
        </span>
        {docUrl && /^(https?:\/\/|\/)/.test(docUrl) && (
          <a href={docUrl} rel="noopener noreferrer" target="_blank">
            Read more in the documentation
          </a>
        )}
        {requestId && (
          <span className="flex min-w-0 items-center gap-1">
            Request id
            <DataText mono truncate>
              {requestId}
            </DataText>
            <CopyButton value={requestId} label="Request id" />
          </span>
        )}
      </div>
    </div>
  );
}
