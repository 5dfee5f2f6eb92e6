import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { useDirtyForm } from './dirty-forms.js';
import { ShowCall } from '../api-calls/show-call.js';
import type { Form } from './use-form.js';

interface FormDialogProps {
  title: ReactNode;
  /** A sentence below the title. */
  description?: ReactNode;
  /** Explains the effect before any input. */
  effect?: ReactNode;
  /** The result of `useForm`. */
  form: Pick<Form<object>, 'formProps' | 'problem' | 'isDirty' | 'isPending' | 'error'>;
  children?: ReactNode;
  submit: string;
  danger?: boolean;
  /** The call for the current input. */
  call: ComponentProps<typeof ShowCall>;
  size?: 'sm' | 'md' | 'lg';
  onClose: () => void;
}

/** A form in a dialog: its effect, fields, server errors, and call. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, effect, form, children, submit, danger, call, size, onClose } = props;
  const id = useId();
  useDirtyForm(form.isDirty, form.isPending);
  const close = () => {
    if (!form.isPending) onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      description={description}
      size={size}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={id} variant={danger ? 'danger-solid' : 'primary'} busy={form.isPending}>
            {form.error?.retryable ? 'Retry' : submit}
          </Button>
        </>
      }
    >
      <form id={id} className="grid grid-cols-1 gap-4" {...form.formProps}>
        {effect && <div>{effect}</div>}
        <FormError error={form.problem} />
        {children}
        <ShowCall {...call} />
      </form>
    </Dialog>
  );
}
