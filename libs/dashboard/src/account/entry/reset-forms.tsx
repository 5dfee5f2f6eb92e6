import { useState } from 'react';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useForgotPassword, useResetPassword } from './entry.queries.js';
import type { SignInAnswer } from './sign-in.queries.js';
import { LinkProblem } from './link-problem.js';
import { Notice } from '../../ui/notice.js';

/** Requests the reset mail. The response is the same whether or not the address has an account. */
export function AskForLink() {
  const forgot = useForgotPassword();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { formProps, field, problem } = useForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: email.trim() === '' ? 'Enter your email.' : null }),
    write: forgot,
    onSubmit: (values) => forgot.mutate(values, { onSuccess: () => setSentTo(values.email.trim()) }),
  });
  if (sentTo !== null)
    return (
      <div className="flex flex-col items-start gap-4">
        <Notice tone="good">
          <p>
            <DataText>{`If ${sentTo} has an account, a link to set a new password is on its way. It works once, for one hour.`}</DataText>
          </p>
        </Notice>
        <Button onClick={() => setSentTo(null)}>Use another address</Button>
      </div>
    );
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <p className="text-muted">
        Enter the address of your account. We will send you a link to set a new password.
      </p>
      <TextField
        {...field('email')}
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="username"
      />
      <FormError error={problem} />
      <Button type="submit" variant="primary" busy={forgot.isPending} className="w-full">
        Send the link
      </Button>
    </form>
  );
}

interface SetPasswordProps {
  token: string;
  onDone: (answer: SignInAnswer) => void;
  onNewLink: () => void;
}

/** Sets the password with a valid link. */
export function SetPassword({ token, onDone, onNewLink }: SetPasswordProps) {
  const reset = useResetPassword(onDone);
  const isLinkBad = reset.error?.type === 'token_invalid';
  const { formProps, field, problem } = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? 'Choose a password.' : null }),
    write: reset,
    onSubmit: ({ password }) => reset.mutate({ token, password }),
  });
  if (isLinkBad) return <LinkProblem reason={reset.error?.reason ?? null} onNewLink={onNewLink} />;
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <SecretField
        {...field('password')}
        label="New password"
        hint="At least 8 characters."
        autoComplete="new-password"
      />
      <p className="text-muted">This signs you out everywhere else.</p>
      <FormError error={problem} />
      <Button type="submit" variant="primary" busy={reset.isPending} className="w-full">
        Set the password
      </Button>
    </form>
  );
}
