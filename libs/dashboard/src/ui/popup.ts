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
  const [isByKeyboard, setByKeyboard] = useState(false);
  const toggle = () => {
    if (open) {
      setOpen(false);
      return;
    }
    // Known now only: until the popup is drawn, the focus may move.
    setByKeyboard(ref.current?.matches(':focus-visible') ?? false);
    // A click that comes before the overlays are there waits for them.
    void loadOverlays().then(() => setOpen(true));
  };
  return {
    open,
    setOpen,
    anchor: ref,
    isByKeyboard,
    trigger: {
      ref,
      'aria-haspopup': 'menu',
      'aria-expanded': open,
      onClick: toggle,
    } satisfies TriggerProps,
  };
}
