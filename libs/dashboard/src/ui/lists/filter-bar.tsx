import { type ReactNode, useId, useState } from 'react';
import { Button } from '../button.js';
import { cx } from '../cx.js';
import { Num } from '../format/money.js';

interface FilterBarProps {
  /** Number of active filters. */
  count: number;
  /** Whether its fields have labels above them. */
  isLabelled?: boolean;
  className?: string;
  children: ReactNode;
}

/** The filters of a list. In a narrow window they open below a button that shows the number of active ones. */
export function FilterBar({ count, isLabelled, className, children }: FilterBarProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div role="search" aria-label="Filters" className={className}>
      <Button
        icon={isOpen ? 'chevron-up' : 'chevron-down'}
        aria-expanded={isOpen}
        aria-controls={id}
        className="md:hidden"
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters
        {count > 0 && (
          <span className="rounded-full bg-chosen px-1.5 text-xs">
            <Num value={count} />
          </span>
        )}
      </Button>
      <div
        id={id}
        className={cx(
          'flex flex-wrap gap-2 max-md:*:w-full',
          isLabelled ? 'items-end' : 'items-center',
          isOpen ? 'max-md:mt-3' : 'max-md:hidden',
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** Returns the number of filters with a value. */
export const setCount = (filters: object): number =>
  Object.values(filters).filter((value) => value !== undefined && value !== '').length;
