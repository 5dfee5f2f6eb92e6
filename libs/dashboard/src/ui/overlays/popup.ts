import { useRef, useState, type RefObject } from 'react';
import { loadOverlays } from './overlays.js';

/** Props that a menu's trigger must spread onto its button. */
export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
}

/** Open state of a popup whose trigger is a plain button. */
export function usePopup() {
  const ref = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [isByKeyboard, setByKeyboard] = useState(false);
  const toggle = () => {
    if (open) {
      setOpen(false);
      return;
    }
    // Must be read now, because the focus may move before the popup is rendered.
    setByKeyboard(ref.current?.matches(':focus-visible') ?? false);
    // A click before the overlays are loaded waits for them.
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
