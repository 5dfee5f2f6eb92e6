import { type ReactNode } from 'react';
import { Button, IconButton } from '../button.js';
import { type ButtonSize, type ButtonVariant } from '../button-class.js';
import { Icon, type IconName } from '../icons.js';
import { useOverlays } from './overlays.js';
import { type TriggerProps, usePopup } from './popup.js';

export interface MenuItem {
  label: ReactNode;
  icon?: IconName;
  hint?: ReactNode;
  /** Shows a check mark. The item then is one of several options. */
  checked?: boolean;
  onSelect?: () => void;
  href?: string;
  danger?: boolean;
  disabledReason?: string | null;
  /** Shows a line above this item. */
  separator?: boolean;
}

interface MenuProps {
  items: readonly MenuItem[];
  /** Text of the button, or its accessible name if it has only an icon. */
  label?: string;
  icon?: IconName;
  iconOnly?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Renders a custom button; spread the props onto it. */
  trigger?: (props: TriggerProps) => ReactNode;
  align?: 'start' | 'end';
}

/** A button with a list of actions or links. */
export function Menu({
  items,
  label = '',
  icon,
  iconOnly,
  variant,
  size,
  trigger,
  align = 'end',
}: MenuProps) {
  const popup = usePopup();
  const overlays = useOverlays(popup.open);
  return (
    <>
      {trigger ? (
        trigger(popup.trigger)
      ) : iconOnly ? (
        <IconButton {...popup.trigger} label={label} icon={icon ?? 'more'} variant={variant} size={size} />
      ) : (
        <Button {...popup.trigger} icon={icon} variant={variant} size={size}>
          {label}
          <Icon name="chevron-down" className="-me-1 opacity-70" />
        </Button>
      )}
      {overlays && <overlays.MenuPopup {...popup} items={items} align={align} />}
    </>
  );
}
