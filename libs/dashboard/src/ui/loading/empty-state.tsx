import { type ReactNode } from 'react';
import { Button } from '../button.js';

interface EmptyStateProps {
  /** Explains the purpose in one sentence. */
  sentence: ReactNode;
  /** A button that creates the first one. */
  action?: ReactNode;
  /** URL of the documentation. */
  docs?: string;
}

/** Shown before the first object is created. */
export function EmptyState({ sentence, action, docs }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="max-w-md text-muted">{sentence}</p>
      {action}
      {docs && (
        <a href={docs} className="text-sm">
          Read more in the documentation
        </a>
      )}
    </div>
  );
}

/** Shown if no object matches the filters. */
export function NoMatch({ things, onClear }: { things: string; onClear?: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <p className="text-muted">{`No ${things} match.`}</p>
      {onClear && <Button onClick={onClear}>Clear filters</Button>}
    </div>
  );
}
