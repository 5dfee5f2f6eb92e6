import { type ReactNode, useState } from 'react';
import { Icon } from './icons.js';

interface DisclosureProps {
  title: ReactNode;
  /** Beside the title, such as a number. */
  note?: ReactNode;
  /** Opens it, such as for an error inside. */
  isForced?: boolean;
  startsOpen?: boolean;
  children: ReactNode;
}

/** Content below a title that opens it. */
export function Disclosure({ title, note, isForced = false, startsOpen = false, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  const isShown = isOpen || isForced;
  return (
    <details
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="rounded-md border border-line"
    >
      <summary className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-2 px-3 py-1.5 font-medium pointer-coarse:min-h-11">
        <Icon name={isShown ? 'chevron-down' : 'chevron-right'} className="text-muted" />
        <span>{title}</span>
        {note !== undefined && <span className="text-sm font-normal text-muted">{note}</span>}
      </summary>
      <div className="flex flex-col gap-3 px-3 pt-1 pb-3">{children}</div>
    </details>
  );
}
