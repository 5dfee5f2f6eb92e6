import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useProject } from '../../api/project.js';
import { cx } from '../../ui/cx.js';
import { PageHeader } from '../../ui/page-header.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { usePageFocus } from './page-focus.js';

export type BarePageProps = Omit<ComponentProps<typeof PageHeader>, 'children'> & {
  title: string;
  /** Title of the window, if it is not the heading. */
  windowTitle?: string;
  /** Placed above the heading. */
  above?: ReactNode;
  /** A sentence or facts below the title. */
  note?: ReactNode;
  /** Shows each part of the page only after those above it are loaded, to avoid layout shifts. */
  inTurn?: boolean;
  children: ReactNode;
};

/** The window title, the heading, which is focused after a page change, and the content. */
export function BarePage({
  title,
  windowTitle = title,
  above,
  note,
  inTurn,
  children,
  ...header
}: BarePageProps) {
  const project = useProject();
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = visibleText([windowTitle, project?.name, 'Tenure'].filter(Boolean).join(' · '));
  }, [windowTitle, project?.name]);
  usePageFocus(page);
  return (
    <div ref={page} className={cx('flex flex-col gap-4', inTurn && 'ui-in-turn')}>
      {above}
      <PageHeader title={visibleText(title)} {...header}>
        {note}
      </PageHeader>
      {children}
    </div>
  );
}
