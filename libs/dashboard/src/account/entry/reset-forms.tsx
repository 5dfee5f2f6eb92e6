import { useState } from 'react';
import { useFields } from '../../frame/forms/use-fields.js';
import { Button } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useForgotPassword, useResetPassword } from './entry.queries.js';
import { text } from './entry.text.js';
import type { SignInAnswer } from './sign-in.queries.js';
import { text as signInText } from './sign-in.text.js';
import { LinkProblem } from './link-problem.js';
import { Notice } from './notice.js';

/** Requests the reset mail. The response is the same whether or not the address has an account. */
export function AskForLink() {
  const forgot = useForgotPassword();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, field, problem } = useFields({
    initial: { email: '' },
    check: ({ email }) => ({ email: email.trim() === '' ? signInText.missingEmail : null }),
    error: forgot.error,
    busy: forgot.isPending,
    onSubmit: (values) => forgot.mutate(values, { onSuccess: () => setSentTo(values.email.trim()) }),
  });
  if (sentTo !== null)
    return (
      <div className="flex flex-col items-start gap-4">
        <Notice tone="good">
          <p>
            <DataText>{text.sentSentence(sentTo)}</DataText>
          </p>
        </Notice>
        <Button onClick={() => setSentTo(null)}>{text.sendAgain}</Button>
      </div>
    );
  return (
    <form {...form} className="flex flex-col gap-4">
      <p className="text-muted">{text.resetSentence}</p>
      <TextField
        {...field('email')}
        label={signInText.email}
        type="email"
        inputMode="email"
        autoComplete="username"
      />
      <FormError error={problem} />
      <Button type="submit" variant="primary" busy={forgot.isPending} className="w-full">
        {text.sendLink}
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
  const { form, field, problem } = useFields({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? text.missingNewPassword : null }),
    error: reset.error,
    busy: reset.isPending,
    onSubmit: ({ password }) => reset.mutate({ token, password }),
  });
  if (isLinkBad) return <LinkProblem reason={reset.error?.reason ?? null} onNewLink={onNewLink} />;
  return (
    <form {...form} className="flex flex-col gap-4">
      <SecretField
        {...field('password')}
        label={text.newPassword}
        hint={text.passwordHint}
        autoComplete="new-password"
      />
      <p className="text-muted">{text.resetEnds}</p>
      <FormError error={problem} />
      <Button type="submit" variant="primary" busy={reset.isPending} className="w-full">
        {text.setPassword}
      </Button>
    </form>
  );
}
