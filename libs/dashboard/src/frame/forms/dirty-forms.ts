import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { unsavedForms } from './unsaved-forms.js';

const QUESTION = 'Leave this page? What you have typed is not saved.';

/**
 * Asks for confirmation before the page is left while `isDirty`, but not while `isSending`, because success may lead to
 * another page.
 */
export function useDirtyForm(isDirty: boolean, isSending = false): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsavedForms.add(id);
    return () => void unsavedForms.delete(id);
  }, [id, isDirty]);
  useBlocker({
    disabled: !isDirty || isSending,
    enableBeforeUnload: () => unsavedForms.has(id),
    // Other tabs, panels or filters of the same page keep the form.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !window.confirm(QUESTION),
  });
}
