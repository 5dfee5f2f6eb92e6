import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { CopyButton } from '../../ui/text/copy-button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { text } from '../account.text.js';
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
      title={text.codesTitle}
      description={text.codesSentence}
      footer={
        <Button variant="primary" disabledReason={isSaved ? null : text.saveFirst} onClick={done}>
          {text.done}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ol
          aria-label={text.codes}
          className="print-alone grid gap-1 rounded-md border border-line bg-bg p-3 font-mono text-sm wrap-anywhere"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <CopyButton value={codes.join('\n')} label={text.codes} worded size="md" />
          <Button icon="download" onClick={() => download(codes)}>
            {text.download}
          </Button>
          <Button onClick={() => print()}>{text.print}</Button>
        </div>
        <Checkbox
          label={text.savedThem}
          checked={isSaved}
          onChange={(event) => setIsSaved(event.target.checked)}
          error={wasAsked && !isSaved ? text.saveFirst : null}
        />
      </div>
    </Dialog>
  );
}
