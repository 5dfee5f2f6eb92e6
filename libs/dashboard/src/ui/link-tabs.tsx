import { type ReactNode, useEffect, useRef } from 'react';
import { AppLink } from './app-link.js';

interface LinkTabsProps {
  label: string;
  tabs: readonly { href: string; label: ReactNode; isCurrent: boolean }[];
}

/** A row of tabs of which each is a page. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const list = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  // On a small screen, the current tab may be beyond the edge.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-current]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav
      ref={list}
      aria-label={label}
      className="flex overflow-x-auto border-b border-line [scrollbar-width:none]"
    >
      {tabs.map(({ href, label: text, isCurrent }) => (
        <AppLink
          key={href}
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          className="-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted no-underline outline-offset-[-2px]! hover:text-fg hover:no-underline aria-[current]:border-accent aria-[current]:text-fg pointer-coarse:min-h-11"
        >
          {text}
        </AppLink>
      ))}
    </nav>
  );
}
