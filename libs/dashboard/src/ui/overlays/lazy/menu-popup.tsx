import { CSPProvider } from '@base-ui/react/csp-provider';
import { Menu as Base } from '@base-ui/react/menu';
import { useEffect, useRef, type RefObject } from 'react';
import { cx } from '../../cx.js';
import { Icon } from '../../icons.js';
import { AppLink } from '../../app-link.js';
import { type MenuItem } from '../menu.js';
import { closeUnlessOnTrigger } from './popup-change.js';

interface MenuPopupProps {
  items: readonly MenuItem[];
  open: boolean;
  setOpen: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
  isByKeyboard: boolean;
  align: 'start' | 'end';
}

const rowClass = (danger?: boolean) =>
  cx(
    'flex min-h-8 items-start gap-2.5 px-3 py-1.5 no-underline outline-none select-none pointer-coarse:min-h-11',
    'data-disabled:text-muted data-highlighted:bg-hover',
    danger ? 'text-bad' : 'text-fg',
  );

function Content({ item }: { item: MenuItem }) {
  return (
    <>
      {item.checked !== undefined ? (
        <Icon name="check" className={cx('mt-0.5', !item.checked && 'invisible')} />
      ) : (
        item.icon && <Icon name={item.icon} className="mt-0.5 opacity-80" />
      )}
      <span className="min-w-0 break-words">
        {item.label}
        {(item.disabledReason ?? item.hint) && (
          <span className="block text-sm text-muted">{item.disabledReason ?? item.hint}</span>
        )}
      </span>
    </>
  );
}

function Entry({ item }: { item: MenuItem }) {
  const shared = { className: rowClass(item.danger), disabled: Boolean(item.disabledReason) };
  const content = <Content item={item} />;
  if (item.checked !== undefined) {
    return (
      <Base.CheckboxItem {...shared} closeOnClick checked={item.checked} onCheckedChange={item.onSelect}>
        {content}
      </Base.CheckboxItem>
    );
  }
  if (item.href !== undefined && !item.disabledReason) {
    return (
      <Base.LinkItem closeOnClick className={shared.className} render={<AppLink href={item.href} />}>
        {content}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item {...shared} onClick={item.onSelect}>
      {content}
    </Base.Item>
  );
}

/** The list of a menu, below its trigger. */
export function MenuPopup({ items, open, setOpen, anchor, isByKeyboard, align }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Opened by keyboard, the first item needs the focus; the library handles only its own triggers.
    if (!open || !isByKeyboard) return;
    let frame = requestAnimationFrame(() => {
      // The library focuses the list one frame earlier.
      frame = requestAnimationFrame(() => {
        // A quick user has already moved to another item, which Enter must activate.
        if (popup.current?.querySelector('[role^=menuitem]:focus')) return;
        popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [open, isByKeyboard]);
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={closeUnlessOnTrigger(anchor, setOpen)} modal={false}>
        <Base.Portal>
          <Base.Positioner
            anchor={anchor}
            align={align}
            sideOffset={4}
            collisionPadding={8}
            className="z-50 outline-none"
          >
            <Base.Popup
              ref={popup}
              finalFocus={anchor}
              className="max-h-(--available-height) min-w-44 max-w-80 overflow-y-auto rounded-md border border-line bg-panel py-1 text-fg shadow-overlay outline-none"
            >
              {items.map((item, index) => [
                item.separator && <Base.Separator key={`line${index}`} className="my-1 h-px bg-line" />,
                <Entry key={index} item={item} />,
              ])}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
