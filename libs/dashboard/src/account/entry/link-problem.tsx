import { Button } from '../../ui/button.js';
import { linkReasons, text } from './entry.text.js';
import { Notice } from './notice.js';

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
          {text.newLink}
        </Button>
      )}
    </Notice>
  );
}
