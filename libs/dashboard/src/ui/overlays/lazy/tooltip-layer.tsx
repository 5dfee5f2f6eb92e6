import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';
import { cx } from '../../cx.js';

const tipOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;

/** One tooltip for all elements with `data-tip`, so that long lists stay cheap. */
export function TooltipLayer() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isPointedAt, setIsPointedAt] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (next: HTMLElement | null, ms: number, byPointer = false) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        setAnchor(next);
        if (next) setIsPointedAt(byPointer);
      }, ms);
    };
    const over = (event: Event) => {
      const target = event.target as Element;
      // The pointer may move onto the tooltip (WCAG 1.4.13).
      if (target.closest('[role=tooltip]')) return clearTimeout(timer);
      const next = tipOf(target);
      later(next, next ? 350 : 120, true);
    };
    const focus = (event: Event) => {
      const next = tipOf(event.target);
      if (next?.matches(':focus-visible')) later(next, 0);
    };
    const hide = () => later(null, 0);
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    const listeners = [
      ['pointerover', over],
      ['focusin', focus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['scroll', hide],
      ['keydown', key],
    ] as const;
    for (const [name, listener] of listeners)
      document.addEventListener(name, listener as EventListener, true);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) {
        document.removeEventListener(name, listener as EventListener, true);
      }
    };
  }, []);
  const text = anchor?.isConnected ? anchor.dataset.tip : undefined;
  return (
    <Base.Root open={text !== undefined} onOpenChange={(open) => !open && setAnchor(null)}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          // Placed above, it would cover the previous row.
          side={anchor?.matches('td button') ? 'left' : 'top'}
          sideOffset={6}
          collisionPadding={8}
          className="z-60"
        >
          <Base.Popup
            role="tooltip"
            // A tooltip opened by focus must not block the pointer from the control below it.
            className={cx(
              'max-w-80 rounded-md bg-fg px-2 py-1 text-sm break-words whitespace-pre-line text-bg shadow-overlay',
              !isPointedAt && 'pointer-events-none',
            )}
          >
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
