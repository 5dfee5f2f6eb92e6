import { type ComponentProps, type ReactNode, useId } from 'react';
import type { CallError } from '../../api/call-error.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { useDirtyForm } from './dirty-forms.js';
import { ShowCall } from '../api-calls/show-call.js';
import type { useFields } from './use-fields.js';

interface FormDialogProps {
  title: ReactNode;
  /** Explains the effect before any input. */
  effect?: ReactNode;
  /** The result of `useFields`. */
  fields: Pick<ReturnType<typeof useFields>, 'form' | 'problem' | 'isDirty'>;
  children?: ReactNode;
  submit: string;
  danger?: boolean;
  busy: boolean;
  error: CallError | null;
  /** The call for the current input. */
  call: ComponentProps<typeof ShowCall>;
  size?: 'sm' | 'md' | 'lg';
  onClose: () => void;
}

/** A form in a dialog: its effect, fields, server errors, and call. */
export function FormDialog(props: FormDialogProps) {
  const { title, effect, fields, children, submit, danger, busy, error, call, size, onClose } = props;
  const form = useId();
  useDirtyForm(fields.isDirty, busy);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      size={size}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={form} variant={danger ? 'danger-solid' : 'primary'} busy={busy}>
            {error?.retryable ? 'Retry' : submit}
          </Button>
        </>
      }
    >
      <form id={form} className="grid gap-4" {...fields.form}>
        {effect && <div>{effect}</div>}
        <FormError error={fields.problem} />
        {children}
        <ShowCall {...call} />
      </form>
    </Dialog>
  );
}
