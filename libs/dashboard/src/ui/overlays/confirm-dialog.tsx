import { useId, useState, type ReactNode } from 'react';
import { Button } from '../button.js';
import { DataText } from '../text/data-text.js';
import { Dialog } from './dialog.js';
import { FormError } from '../forms/form.js';
import { TextField } from '../forms/text-field.js';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: ReactNode;
  /** Explains what will happen or be lost, with numbers. */
  children?: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  /** A name or id that must be typed to confirm. */
  typed?: string;
  busy?: boolean;
  error?: string | null;
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, confirmLabel, danger, busy } = props;
  const form = useId();
  return (
    <Dialog
      open={open}
      onClose={() => !busy && onClose()}
      size="sm"
      role="alertdialog"
      title={title}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={form} variant={danger ? 'danger-solid' : 'primary'} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <ConfirmForm id={form} {...props} />
    </Dialog>
  );
}

function ConfirmForm({ id, children, typed, error, busy, onConfirm }: ConfirmDialogProps & { id: string }) {
  const [value, setValue] = useState('');
  const [wrong, setWrong] = useState(false);
  return (
    <form
      id={id}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        if (typed === undefined || value.trim() === typed) return onConfirm();
        setWrong(true);
        event.currentTarget.querySelector('input')?.focus();
      }}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextField
          label={
            <>
              To confirm, type <DataText mono>{typed}</DataText> below.
            </>
          }
          value={value}
          mono
          autoComplete="off"
          error={wrong && value.trim() !== typed ? `Type ${typed} exactly.` : null}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
      <FormError error={error} />
    </form>
  );
}
