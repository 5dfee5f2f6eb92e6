import { Button } from '../../ui/button.js';
import { Notice } from '../../ui/notice.js';

const linkReasons: Readonly<Record<string, string>> = {
  expired: 'This link has expired.',
  used: 'This link has already been used. Each link works once.',
  replaced: 'A newer link has been sent, or the password was changed since. Use the newest email.',
  not_found: 'This link is incomplete or from another server. Copy the whole address from the email.',
};

interface LinkProblemProps {
  reason: string | null;
  onNewLink?: () => void;
}

/** Explains why an emailed link does not work, and offers a new one. */
export function LinkProblem({ reason, onNewLink }: LinkProblemProps) {
  return (
    <Notice tone="bad">
      <p>{linkReasons[reason ?? 'not_found'] ?? linkReasons.not_found}</p>
      {onNewLink && (
        <Button size="sm" onClick={onNewLink}>
          Request a new link
        </Button>
      )}
    </Notice>
  );
}
