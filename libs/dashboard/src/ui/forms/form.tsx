import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '../icons.js';
import { visibleText } from '../text/visible-text.js';

/** An error of the whole form. Receives the focus when it appears or changes. */
export function FormError({ error, children }: { error?: string | null; children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  if (!error) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex gap-2 rounded-md border border-bad/40 bg-bad/8 px-3 py-2 text-fg"
    >
      <Icon name="error" className="mt-0.5 text-bad" />
      <div className="min-w-0 break-words">
        {visibleText(error)}
        {children}
      </div>
    </div>
  );
}

/** The buttons below a form, the primary one first. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 pt-1">{children}</div>;
}

/** Whether a form that stays on the page is saved. */
export function SaveState({ isDirty }: { isDirty: boolean }) {
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-sm text-muted">
      <Icon name={isDirty ? 'edit' : 'check'} className={isDirty ? 'text-warn' : 'text-good'} />
      {isDirty ? 'Unsaved changes' : 'All changes saved'}
    </span>
  );
}

/** Focuses the form's first invalid field. Returns whether there is one. */
export function focusFirstError(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  field?.focus();
  return Boolean(field);
}
