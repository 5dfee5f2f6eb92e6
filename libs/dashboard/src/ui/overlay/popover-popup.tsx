import { CSPProvider } from '@base-ui/react/csp-provider';
import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, type RefObject } from 'react';
import { closeUnlessOnTrigger } from './popup-change.js';

interface PopoverPopupProps {
  title: ReactNode;
  titleHidden?: boolean;
  children: ReactNode;
  open: boolean;
  setOpen: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
  align: 'start' | 'end';
}

/** A small panel below its trigger. */
export function PopoverPopup(props: PopoverPopupProps) {
  const { title, titleHidden, children, open, setOpen, anchor, align } = props;
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={closeUnlessOnTrigger(anchor, setOpen)}>
        <Base.Portal>
          <Base.Positioner anchor={anchor} align={align} sideOffset={4} collisionPadding={8} className="z-50">
            <Base.Popup
              finalFocus={anchor}
              className="max-h-(--available-height) w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-panel p-4 text-fg shadow-overlay outline-none"
            >
              <Base.Title className={titleHidden ? 'sr-only' : 'mb-3 font-semibold'}>{title}</Base.Title>
              {children}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
