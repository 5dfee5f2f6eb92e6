import { useRef, useState, type RefObject } from 'react';
import { loadOverlays } from './overlays.js';

/** What a trigger of a menu or popover must spread onto its button. */
export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
}

/** Open state of a popup whose trigger is a plain button of the page. */
export function usePopup(kind: TriggerProps['aria-haspopup']) {
  const ref = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return {
    open,
    setOpen,
    anchor: ref,
    trigger: {
      ref,
      'aria-haspopup': kind,
      'aria-expanded': open,
      // A click that comes before the overlays are there waits for them.
      onClick: () => (open ? setOpen(false) : void loadOverlays().then(() => setOpen(true))),
    } satisfies TriggerProps,
  };
}
