import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { HistoryDialog } from './history-dialog.js';

/** Opens the list of published versions. */
export function HistoryButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="clock" onClick={() => setIsOpen(true)}>
        History
      </Button>
      {isOpen && <HistoryDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
