import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog as Base } from '@base-ui/react/dialog';
import { type FocusEvent, useRef, type ReactNode } from 'react';
import { IconButton } from '../../button.js';
import { cx } from '../../cx.js';

export interface ModalDialogProps {
  open: boolean;
  /** Called by Escape or the close button; the parent decides whether to close. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'screen';
  role?: 'dialog' | 'alertdialog';
}

const sizes = {
  sm: 'sm:max-w-md',
  md: 'sm:max-w-xl',
  lg: 'sm:max-w-4xl',
  screen: 'h-full max-h-full! max-w-full! rounded-none!',
};

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Tracks whether fields have unsaved input since they were first focused. Ignores search and confirmation. */
function useTyped() {
  const before = useRef(new Map<TextField, string>());
  return {
    note: ({ target }: FocusEvent) => {
      if (
        !target.matches('textarea, input:not([role=combobox], [type=search], [type=checkbox], [type=radio])')
      )
        return;
      const field = target as TextField;
      if (!before.current.has(field)) before.current.set(field, field.value);
    },
    isThere: () => [...before.current].some(([field, value]) => field.isConnected && field.value !== value),
  };
}

const field =
  'input:not([type=hidden], [hidden]):not(:disabled),select:not(:disabled),textarea:not(:disabled)';

/** A modal dialog. A click outside does not close it, so that no input is lost. */
export function ModalDialog(props: ModalDialogProps) {
  const { open, onClose, title, description, children, footer, size = 'md', role = 'dialog' } = props;
  const popup = useRef<HTMLDivElement>(null);
  const typed = useTyped();
  const close = () => {
    if (
      role === 'dialog' &&
      typed.isThere() &&
      !window.confirm('Close this? What you have typed is not saved.')
    )
      return;
    onClose();
  };
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={(next) => !next && close()} disablePointerDismissal>
        <Base.Portal>
          <Base.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Base.Viewport
            className={cx(
              'fixed inset-0 z-40 flex justify-center',
              size === 'screen' ? '' : 'items-end p-2 sm:items-start sm:p-6 sm:pt-[10vh]',
            )}
          >
            <Base.Popup
              ref={popup}
              role={role}
              onFocus={typed.note}
              initialFocus={() =>
                popup.current?.querySelector<HTMLElement>('[data-autofocus]') ??
                popup.current?.querySelector<HTMLElement>(field) ??
                popup.current
              }
              className={cx(
                'flex max-h-full w-full flex-col overflow-hidden rounded-md border border-line bg-panel text-fg shadow-overlay outline-none',
                'transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0',
                sizes[size],
              )}
            >
              <header className="flex items-start gap-3 px-5 pt-4 pb-3">
                <div className="min-w-0 flex-1">
                  <Base.Title className="text-lg font-semibold break-words">{title}</Base.Title>
                  {description && (
                    <Base.Description render={<div />} className="mt-0.5 text-muted">
                      {description}
                    </Base.Description>
                  )}
                </div>
                <Base.Close render={<IconButton label="Close" icon="x" className="-me-2" />} />
              </header>
              <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
              {footer && (
                <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
                  {footer}
                </footer>
              )}
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
