import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../../ui/button.js';

export const loadApiCalls = () =>
  import('./api-calls-dialog.js').then(({ ApiCallsDialog: dialog }) => ({ default: dialog }));

const ApiCallsDialog = lazy(loadApiCalls);

/** "Show the API call" of a page: the calls it made. */
export function ApiCallsButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton icon="code" label="Show the API calls of this page" onClick={() => setIsOpen(true)} />
      <Suspense>{isOpen && <ApiCallsDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
