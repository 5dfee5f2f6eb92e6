import { useRef, useState, type RefObject } from 'react';
import { loadOverlays } from './overlays.js';

/** What the trigger of a menu must spread onto its button. */
export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
}

/** Open state of a popup whose trigger is a plain button of the page. */
export function usePopup() {
  const ref = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return {
    open,
    setOpen,
    anchor: ref,
    trigger: {
      ref,
      'aria-haspopup': 'menu',
      'aria-expanded': open,
      // A click that comes before the overlays are there waits for them.
      onClick: () => (open ? setOpen(false) : void loadOverlays().then(() => setOpen(true))),
    } satisfies TriggerProps,
  };
}
