import type { ReactNode } from 'react';
import type { CallError } from '../../api/call-error.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useFields } from '../../frame/forms/use-fields.js';
import { FormError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { codeErrorOf } from '../code-error.js';

interface CodeFormProps {
  id: string;
  /** Explains what the code confirms. */
  children: ReactNode;
  operation: string;
  error: CallError | null;
  busy: boolean;
  onSend: (code: string) => void;
}

/** Confirms an action with an authenticator code or a recovery code. */
export function CodeForm({ id, children, operation, error, busy, onSend }: CodeFormProps) {
  const { form, field, problem, values } = useFields({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? 'This is required.' : null }),
    error: codeErrorOf(error),
    busy,
    onSubmit: ({ code }) => onSend(code.trim()),
  });
  return (
    <form id={id} {...form} className="flex flex-col gap-4">
      <p>{children}</p>
      <TextField
        {...field('code')}
        label="Authentication code"
        hint="Six digits from your authenticator app, or a recovery code."
        mono
        autoComplete="one-time-code"
        autoCapitalize="off"
      />
      <FormError error={problem} />
      <ShowCall operation={operation} body={values} />
    </form>
  );
}
