import { type ReactNode } from 'react';
import { CopyId } from './text/copy-id.js';

interface PageHeaderProps {
  title: ReactNode;
  /** Id of the object, shown with a copy button. */
  id?: string;
  badges?: ReactNode;
  actions?: ReactNode;
  /** A line of facts or a sentence below the title. */
  children?: ReactNode;
}

/** Title and actions of a page. The heading receives the focus after a page change. */
export function PageHeader({ title, id, badges, actions, children }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-full">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 tabIndex={-1} className="min-w-0 text-xl font-semibold [overflow-wrap:anywhere] outline-none">
            {title}
          </h1>
          {badges}
        </div>
        {id && <CopyId id={id} />}
        {children && <div className="mt-0.5 max-w-prose text-muted">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
