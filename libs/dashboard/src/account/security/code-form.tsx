import type { ReactNode } from 'react';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { FormError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { twoFactorParam } from '../two-factor-param.js';

interface CodeFormProps {
  id: string;
  /** Explains what the code confirms. */
  children: ReactNode;
  operation: string;
  write: Parameters<typeof useForm>[0]['write'];
  onSend: (code: string) => void;
}

/** Confirms an action with an authenticator code or a recovery code. */
export function CodeForm({ id, children, operation, write, onSend }: CodeFormProps) {
  const { formProps, field, problem, values } = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? 'This is required.' : null }),
    write,
    paramOf: twoFactorParam,
    onSubmit: ({ code }) => onSend(code.trim()),
  });
  return (
    <form id={id} {...formProps} className="flex flex-col gap-4">
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
