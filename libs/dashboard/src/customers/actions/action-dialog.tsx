import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react';
import type { CallError } from '../../api/call-error.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { visibleText } from '../../ui/text/visible-text.js';

interface ActionDialogProps {
  title: string;
  /** Explains the effect before any input. */
  effect: ReactNode;
  children?: ReactNode;
  submit: string;
  danger?: boolean;
  busy: boolean;
  error: CallError | null;
  /** Names of fields that show their own errors. */
  fields?: readonly string[];
  /** The call for the current input. */
  call: ComponentProps<typeof ShowCall>;
  isDirty?: boolean;
  onClose: () => void;
  onSubmit: () => void;
}

/** A dialog that changes a customer: effect, fields, errors, call. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    title,
    effect,
    children,
    submit,
    danger,
    busy,
    error,
    fields = [],
    call,
    onClose,
    onSubmit,
  } = props;
  const form = useId();
  useDirtyForm(props.isDirty ?? false, props.busy);
  const isOfField = error?.param !== null && fields.includes(error?.param ?? '');
  return (
    <Dialog
      open
      onClose={() => !busy && onClose()}
      title={visibleText(title)}
      footer={
        <>
          <Button onClick={() => !busy && onClose()}>Cancel</Button>
          <Button type="submit" form={form} variant={danger ? 'danger-solid' : 'primary'} busy={busy}>
            {error?.retryable ? 'Retry' : submit}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid grid-cols-1 gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!busy) onSubmit();
        }}
      >
        <div>{effect}</div>
        <FormError error={isOfField ? null : error?.message} />
        {children}
        <ShowCall {...call} />
      </form>
    </Dialog>
  );
}

/** Returns the message of an error about the field. */
export const fieldError = (error: CallError | null, param: string): string | null =>
  error?.param === param ? error.message : null;
