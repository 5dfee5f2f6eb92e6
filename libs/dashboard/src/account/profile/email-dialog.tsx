import { useId } from 'react';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useChangeEmail } from '../account.queries.js';
import { twoFactorParam } from '../two-factor-param.js';

interface EmailDialogProps {
  open: boolean;
  /** Whether the account has two-factor authentication. */
  hasCode: boolean;
  onClose: () => void;
}

export function EmailDialog(props: EmailDialogProps) {
  const { open, onClose, hasCode } = props;
  const form = useId();
  const toast = useToast();
  const change = useChangeEmail((_, { email }) => {
    toast({ title: `The link is on its way to ${email}`, tone: 'good' });
    onClose();
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title="Change your email address"
      description="We send a link to the new address. Your address changes when you open the link; until then you sign in with the current one, which gets a notice."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={change.isPending}>
            Send the link
          </Button>
        </>
      }
    >
      <EmailForm id={form} change={change} hasCode={hasCode} />
    </Dialog>
  );
}

interface EmailFormProps {
  id: string;
  change: ReturnType<typeof useChangeEmail>;
  hasCode: boolean;
}

function EmailForm({ id, change, hasCode }: EmailFormProps) {
  const required = (value: string) => (value.trim() === '' ? 'This is required.' : null);
  const { formProps, field, problem, values } = useForm({
    initial: { email: '', password: '', code: '' },
    check: ({ email, password, code }) => ({
      email: required(email),
      password: required(password),
      code: hasCode ? required(code) : null,
    }),
    write: change,
    paramOf: twoFactorParam,
    onSubmit: ({ code, ...body }) => change.mutate(hasCode ? { ...body, code: code.trim() } : body),
  });
  return (
    <form id={id} {...formProps} className="flex flex-col gap-4">
      <TextField
        {...field('email')}
        label="New email address"
        type="email"
        inputMode="email"
        autoComplete="email"
      />
      <SecretField {...field('password')} label="Password" autoComplete="current-password" />
      {hasCode && (
        <TextField
          {...field('code')}
          label="Authentication code"
          hint="Six digits from your authenticator app, or a recovery code."
          mono
          autoComplete="one-time-code"
          autoCapitalize="off"
        />
      )}
      <FormError error={problem} />
      <ShowCall
        operation="POST /auth/email/change"
        body={{ email: values.email, password: values.password, ...(hasCode && { code: values.code }) }}
      />
    </form>
  );
}
