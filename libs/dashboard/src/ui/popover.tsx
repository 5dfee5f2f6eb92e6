import { type ReactNode } from 'react';
import { Button } from './button.js';
import { type ButtonSize, type ButtonVariant } from './button-class.js';
import { type IconName } from './icons.js';
import { useOverlays } from './overlays.js';
import { type TriggerProps, usePopup } from './popup.js';

interface PopoverProps {
  label: string;
  /** Title of the panel; the label if left out. */
  title?: string;
  titleHidden?: boolean;
  icon?: IconName;
  variant?: ButtonVariant;
  size?: ButtonSize;
  trigger?: (props: TriggerProps) => ReactNode;
  align?: 'start' | 'end';
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button with a small panel, for filters and details. */
export function Popover(props: PopoverProps) {
  const { label, title, titleHidden, icon, variant, size, trigger, align = 'start', children } = props;
  const popup = usePopup('dialog');
  const overlays = useOverlays(popup.open);
  return (
    <>
      {trigger ? (
        trigger(popup.trigger)
      ) : (
        <Button {...popup.trigger} icon={icon} variant={variant} size={size}>
          {label}
        </Button>
      )}
      {overlays && (
        <overlays.PopoverPopup
          open={popup.open}
          setOpen={popup.setOpen}
          anchor={popup.anchor}
          align={align}
          title={title ?? label}
          titleHidden={titleHidden}
        >
          {typeof children === 'function' ? children(() => popup.setOpen(false)) : children}
        </overlays.PopoverPopup>
      )}
    </>
  );
}
