import { type RefObject } from 'react';

/** Ignores a press on the trigger, which closes the popup itself. */
export function closeUnlessOnTrigger(
  anchor: RefObject<HTMLElement | null>,
  setOpen: (open: boolean) => void,
) {
  return (open: boolean, { reason, event }: { reason: string; event: Event }) => {
    const onTrigger = event.target instanceof Node && anchor.current?.contains(event.target);
    if (!open && !(reason === 'outside-press' && onTrigger)) setOpen(false);
  };
}
