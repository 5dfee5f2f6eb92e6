import { useState } from 'react';
import { Button } from '../../../../ui/button.js';
import { cx } from '../../../../ui/cx.js';
import { Icon } from '../../../../ui/icons.js';
import { Dialog } from '../../../../ui/overlays/dialog.js';
import { DataText } from '../../../../ui/text/data-text.js';
import { usePaywallDocument } from '../paywall-editor-context.js';

/** The number of problems. The list opens the component of each. */
export function ProblemsButton() {
  const { problems, showProblem } = usePaywallDocument();
  const [isOpen, setOpen] = useState(false);
  const hasErrors = problems.some(({ severity }) => severity === 'error');
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
        onClose={() => setOpen(false)}
        title="Problems"
        description="Errors prevent publishing; warnings do not."
      >
        <ul className="divide-y divide-line rounded-md border border-line">
          {problems.map((problem) => (
            <li key={`${problem.code}${problem.path}${problem.message}`}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  showProblem(problem);
                }}
                className="flex w-full items-start gap-2.5 px-3 py-2.5 text-start hover:bg-hover"
              >
                <Icon
                  name={problem.severity === 'error' ? 'error' : 'warning'}
                  label={problem.severity === 'error' ? 'Error' : 'Warning'}
                  className={cx('mt-0.5', problem.severity === 'error' ? 'text-bad' : 'text-warn')}
                />
                <span className="min-w-0">
                  <DataText>{problem.message}</DataText>
                  <span className="block text-xs break-all text-muted">
                    {problem.path || 'Whole paywall'}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
