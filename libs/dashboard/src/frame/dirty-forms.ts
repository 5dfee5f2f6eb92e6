import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';

const dirty = new Set<string>();

/** Whether a form on the page holds what was typed and not sent. */
export const hasDirtyForms = (): boolean => dirty.size > 0;

/** They are left without a question: another person is signed in. */
export const forgetDirtyForms = (): void => dirty.clear();

const QUESTION = 'Leave this page? What you have typed is not saved.';

/** Asks before the page is left while `isDirty`, but not while it `isSending`: what follows a success may be another page. */
export function useDirtyForm(isDirty: boolean, isSending = false): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    dirty.add(id);
    return () => void dirty.delete(id);
  }, [id, isDirty]);
  useBlocker({
    disabled: !isDirty || isSending,
    enableBeforeUnload: () => dirty.has(id),
    // Another tab, a panel or a filter of the same page keeps the form.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !window.confirm(QUESTION),
  });
}
