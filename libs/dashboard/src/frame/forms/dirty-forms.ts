import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';

const dirty = new Set<string>();

/** Whether a form on the page has unsaved input. */
export const hasDirtyForms = (): boolean => dirty.size > 0;

/** Discards unsaved forms without confirmation, because another person is signed in. */
export const forgetDirtyForms = (): void => dirty.clear();

const QUESTION = 'Leave this page? What you have typed is not saved.';

/**
 * Asks for confirmation before the page is left while `isDirty`, but not while `isSending`, because success may lead to
 * another page.
 */
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
    // Other tabs, panels or filters of the same page keep the form.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !window.confirm(QUESTION),
  });
}
