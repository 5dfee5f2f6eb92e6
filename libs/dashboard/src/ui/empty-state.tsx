import { type ReactNode } from 'react';
import { Button } from './button.js';
import { uiText } from './ui.text.js';

interface EmptyStateProps {
  /** One sentence: what the thing is for. */
  sentence: ReactNode;
  /** One button to make the first. */
  action?: ReactNode;
  /** Address of the documentation. */
  docs?: string;
}

/** What stands where nothing has been made yet. */
export function EmptyState({ sentence, action, docs }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="max-w-md text-muted">{sentence}</p>
      {action}
      {docs && (
        <a href={docs} className="text-sm">
          {uiText.readMore}
        </a>
      )}
    </div>
  );
}

/** What stands where the filters leave nothing. */
export function NoMatch({ things, onClear }: { things: string; onClear?: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="text-muted">{uiText.noMatch(things)}</p>
      {onClear && <Button onClick={onClear}>{uiText.clearFilters}</Button>}
    </div>
  );
}
