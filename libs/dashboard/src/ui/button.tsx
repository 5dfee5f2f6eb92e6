import { useId, type ComponentPropsWithRef, type MouseEvent } from 'react';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.js';
import { cx } from './cx.js';
import { Icon, type IconName } from './icons.js';
import { Spinner } from './progress.js';
import { visibleText } from './text/visible-text.js';

export { buttonClass } from './button-class.js';

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and ignores clicks while sending, but keeps the focus. */
  busy?: boolean;
  /** Why it is disabled; null or undefined if it is enabled. */
  disabledReason?: string | null;
}

type ButtonProps = ComponentPropsWithRef<'button'> & Look & { icon?: IconName };

/** Shared by both buttons: a disabled button remains focusable, so that its reason can be read. */
function useBlocking({
  busy,
  disabledReason,
  onClick,
  ...rest
}: Omit<ButtonProps, 'variant' | 'size' | 'icon'>) {
  const id = useId();
  const off = busy || (disabledReason !== null && disabledReason !== undefined);
  const described = cx(rest['aria-describedby'], disabledReason ? id : undefined);
  return {
    reasonId: id,
    props: {
      ...rest,
      'aria-disabled': off || undefined,
      'aria-busy': busy || undefined,
      'aria-describedby': described || undefined,
      onClick: off ? (event: MouseEvent<HTMLButtonElement>) => event.preventDefault() : onClick,
    },
  };
}

/** A button; `type="button"` by default. */
export function Button({
  variant,
  size,
  busy,
  disabledReason,
  icon,
  className,
  children,
  ...rest
}: ButtonProps) {
  const { props, reasonId } = useBlocking({ busy, disabledReason, ...rest });
  return (
    <>
      <button
        type="button"
        {...props}
        data-tip={disabledReason ?? undefined}
        className={cx(buttonClass({ variant, size }), className)}
      >
        {busy ? <Spinner /> : icon && <Icon name={icon} />}
        {children}
      </button>
      {disabledReason && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: IconName };

/** A square button with an icon. Its label is the accessible name and the tooltip. */
export function IconButton({
  label: given,
  icon,
  variant = 'ghost',
  size = 'md',
  busy,
  disabledReason,
  className,
  ...rest
}: IconButtonProps) {
  const { props, reasonId } = useBlocking({ busy, disabledReason, ...rest });
  const label = visibleText(given);
  return (
    <>
      <button
        type="button"
        {...props}
        aria-label={label}
        data-tip={disabledReason ? `${label}: ${disabledReason}` : label}
        className={cx(
          buttonClass({ variant, size }),
          size === 'sm' ? 'w-7 pointer-coarse:w-9' : 'w-8 pointer-coarse:w-11',
          'px-0!',
          className,
        )}
      >
        {busy ? <Spinner /> : <Icon name={icon} />}
      </button>
      {disabledReason && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
