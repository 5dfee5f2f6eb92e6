import { useState } from 'react';
import { Button } from '../../../../ui/button.js';
import { Icon } from '../../../../ui/icons.js';
import { Dialog } from '../../../../ui/overlays/dialog.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import { ProblemList } from './problem-list.js';

/** The number of problems. The list opens the place of each. */
export function ProblemsButton() {
  const { problems } = usePaywallDocument();
  const [isOpen, setOpen] = useState(false);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  const close = () => setOpen(false);
  if (problems.length === 0)
    return (
      <span className="flex items-center gap-1.5 text-sm text-muted">
        <Icon name="success" className="text-good" />
        No problems
      </span>
    );
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        <Icon name={hasErrors ? 'error' : 'warning'} className={hasErrors ? 'text-bad' : 'text-warn'} />
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Problems"
        description="Errors prevent publishing; warnings do not."
      >
        <ProblemList problems={problems} onOpen={close} />
      </Dialog>
    </>
  );
}
