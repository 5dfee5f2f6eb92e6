import type { ReactNode } from 'react';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/text/code-block.js';
import { Dialog } from '../../ui/overlays/dialog.js';

interface SecretOnceDialogProps {
  title: string;
  note: ReactNode;
  /** Its kind, such as "Secret key". */
  label: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that the server returns once. It exists only in the state of the component that opens this dialog. */
export function SecretOnceDialog({ title, note, label, secret, children, onClose }: SecretOnceDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={note}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-4">
        <CodeBlock label={label} code={secret} copy wrap />
        {children}
      </div>
    </Dialog>
  );
}
