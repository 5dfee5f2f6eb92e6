import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Notice } from '../../ui/notice.js';
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
    <Notice tone={isInvalid ? 'bad' : 'warn'}>
      <p>
        <DataText>
          {isInvalid
            ? `The store did not accept this: ${check.message}`
            : `Could not reach the store, so the credentials were not checked: ${check.message}`}
        </DataText>
      </p>
      <p>
        {isInvalid
          ? 'Correct it, or save it anyway.'
          : 'What you entered may be correct. Check it again, or save it without a check.'}
      </p>
      {!isInvalid && (
        <Button size="sm" busy={busy} onClick={onAgain}>
          Check again
        </Button>
      )}
    </Notice>
  );
}
