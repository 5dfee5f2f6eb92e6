import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { CopyButton } from '../../ui/text/copy-button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import './codes-dialog.css';

function download(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'tenure-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}

interface CodesDialogProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows recovery codes once. The dialog stays open until the person confirms that they are saved. */
export function CodesDialog({ codes, onDone }: CodesDialogProps) {
  const [isSaved, setIsSaved] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const done = () => (isSaved ? onDone() : setWasAsked(true));
  useEffect(() => {
    // Closing the tab would lose the codes too.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (!isSaved) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaved]);
  return (
    <Dialog
      open
      onClose={done}
      size="sm"
      title="Save your recovery codes"
      description="Each code signs you in once when you do not have your phone. They are shown only now: store them with your passwords."
      footer={
        <Button
          variant="primary"
          disabledReason={isSaved ? null : 'Save the codes first: they are not shown again.'}
          onClick={done}
        >
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ol
          aria-label="Recovery codes"
          className="print-alone grid gap-1 rounded-md border border-line bg-bg p-3 font-mono text-sm wrap-anywhere"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <CopyButton value={codes.join('\n')} label="Recovery codes" worded size="md" />
          <Button icon="download" onClick={() => download(codes)}>
            Download
          </Button>
          <Button onClick={() => print()}>Print</Button>
        </div>
        <Checkbox
          label="I have saved them"
          checked={isSaved}
          onChange={(event) => setIsSaved(event.target.checked)}
          error={wasAsked && !isSaved ? 'Save the codes first: they are not shown again.' : null}
        />
      </div>
    </Dialog>
  );
}
