import { useEffect, useId, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { IconButton } from '../button.js';
import { Dialog } from './dialog.js';
import { useKeys } from '../keys.js';

interface SidePanelProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

const wide = '(min-width: 64rem)';

const subscribe = (listener: () => void) => {
  const media = window.matchMedia(wide);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};

/** Opened by a row next to its list; full screen below 1,024 px. */
export function SidePanel(props: SidePanelProps) {
  const isWide = useSyncExternalStore(subscribe, () => window.matchMedia(wide).matches);
  if (!isWide) {
    return (
      <Dialog open={props.open} onClose={props.onClose} title={props.title} size="screen">
        {props.actions && <div className="mb-3 flex flex-wrap gap-2">{props.actions}</div>}
        {props.children}
      </Dialog>
    );
  }
  return props.open ? <BesideList {...props} /> : null;
}

function BesideList({ onClose, title, actions, children }: SidePanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useKeys({ Escape: onClose });
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      aria-labelledby={id}
      className="sticky top-[calc(var(--bar-height,0px)+1rem)] max-h-[calc(100vh-var(--bar-height,0px)-2rem)] w-104 shrink-0 overflow-y-auto rounded-md border border-line bg-panel xl:w-128"
    >
      <header className="sticky top-0 z-1 flex items-center gap-2 border-b border-line bg-panel py-1.5 ps-4 pe-2">
        <h2
          ref={heading}
          id={id}
          tabIndex={-1}
          className="min-w-0 flex-1 font-semibold break-words outline-none"
        >
          {title}
        </h2>
        {actions}
        <IconButton label="Close" icon="x" onClick={onClose} />
      </header>
      <div className="p-4">{children}</div>
    </section>
  );
}

/** A list with space for a panel next to it. */
export function WithSidePanel({ children, panel }: { children: ReactNode; panel: ReactNode }) {
  return (
    <div className="lg:flex lg:items-start lg:gap-4">
      <div className="min-w-0 flex-1">{children}</div>
      {panel}
    </div>
  );
}
