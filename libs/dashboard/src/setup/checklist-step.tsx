import { type ReactNode, useId } from 'react';
import { IconButton } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { Icon } from '../ui/icons.js';

interface ChecklistStepProps {
  id: string;
  number: number;
  title: string;
  isDone: boolean;
  /** A short result. */
  summary: string | undefined;
  /** Why it cannot start yet. */
  lockedReason: string | null;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

export function ChecklistStep(props: ChecklistStepProps) {
  const { id, number, title, isDone, summary, lockedReason, isOpen, onToggle, children } = props;
  const heading = useId();
  const isShown = isOpen && lockedReason === null;
  return (
    <li
      data-step={id}
      aria-labelledby={heading}
      className="min-w-0 overflow-clip rounded-md border border-line bg-panel"
    >
      <div className="flex items-center gap-3 px-4 py-2.5">
        {isDone ? (
          <span className="flex size-6 shrink-0 items-center justify-center text-good">
            <Icon name="success" label="Done" className="size-5!" />
          </span>
        ) : (
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full border border-edge text-sm font-medium tabular-nums"
          >
            {number}
          </span>
        )}
        <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3">
          <h2 id={heading} tabIndex={-1} className="text-lg font-semibold">
            {title}
          </h2>
          {(lockedReason ?? (isShown ? undefined : summary)) !== undefined && (
            <span className="min-w-0 text-muted">
              <DataText>{lockedReason ?? summary}</DataText>
            </span>
          )}
        </div>
        {lockedReason === null && (
          <IconButton
            size="sm"
            icon={isShown ? 'chevron-up' : 'chevron-down'}
            label={isShown ? `Hide “${title}”` : `Show “${title}”`}
            aria-expanded={isShown}
            onClick={() => onToggle(!isShown)}
          />
        )}
      </div>
      {isShown && <div className="flex flex-col gap-4 px-4 pb-4 sm:ps-13">{children}</div>}
    </li>
  );
}
