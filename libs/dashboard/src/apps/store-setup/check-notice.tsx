import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Icon } from '../../ui/icons.js';
import type { CredentialsCheck } from '../apps.queries.js';

interface CheckNoticeProps {
  check: CredentialsCheck;
  busy: boolean;
  /** Checks the same values again. */
  onAgain: () => void;
}

/** The store's response to values that are not saved yet. */
export function CheckNotice({ check, busy, onAgain }: CheckNoticeProps) {
  const isInvalid = check.status === 'invalid';
  return (
    <div
      role="alert"
      className={`flex gap-2 rounded-md border px-3 py-2 ${isInvalid ? 'border-bad/40 bg-bad/8' : 'border-warn/40 bg-warn/8'}`}
    >
      <Icon
        name={isInvalid ? 'error' : 'warning'}
        className={`mt-0.5 ${isInvalid ? 'text-bad' : 'text-warn'}`}
      />
      <div className="min-w-0">
        <p>
          <DataText>
            {isInvalid
              ? `The store did not accept this: ${check.message}`
              : `Could not reach the store, so the credentials were not checked: ${check.message}`}
          </DataText>
        </p>
        <p className="mt-1">
          {isInvalid
            ? 'Correct it, or save it anyway.'
            : 'What you entered may be correct. Check it again, or save it without a check.'}
        </p>
        {!isInvalid && (
          <Button size="sm" className="mt-2" busy={busy} onClick={onAgain}>
            Check again
          </Button>
        )}
      </div>
    </div>
  );
}
