import { useEffect, useState } from 'react';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { CodeField } from './code-field.js';
import { wrongCodeParam } from '../two-factor-param.js';
import { useCompleteSignIn } from './entry.queries.js';

interface CodeStepProps {
  loginToken: string;
  onDone: () => void;
  /** Returns to the password, with the server's reason if it ended the attempt. */
  onStartAgain: (reason: string | null) => void;
}

/** The second step of a sign-in: an authenticator code or a recovery code. */
export function CodeStep({ loginToken, onDone, onStartAgain }: CodeStepProps) {
  const [byRecovery, setByRecovery] = useState(false);
  const complete = useCompleteSignIn(onDone);
  const { error, isPending } = complete;
  const ended = error?.type === 'authentication_error' ? error.message : null;
  useEffect(() => {
    if (ended !== null) onStartAgain(ended);
  }, [ended, onStartAgain]);
  const send = (given: string) => {
    if (isPending) return;
    complete.mutate({
      login_token: loginToken,
      ...(byRecovery ? { recovery_code: given } : { code: given }),
    });
  };
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? 'Enter the code.' : null }),
    write: complete,
    paramOf: wrongCodeParam,
    onSubmit: ({ code }) => send(code.trim()),
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4">
      <p className="text-muted">
        {byRecovery
          ? 'Enter one of the recovery codes that you saved. Each of them works once.'
          : 'Enter the code that your authenticator app shows for Tenure.'}
      </p>
      {byRecovery ? (
        <TextField
          key="recovery"
          label="Recovery code"
          mono
          autoComplete="off"
          autoCapitalize="off"
          autoFocus
          {...form.field('code')}
        />
      ) : (
        <CodeField {...form.control('code')} onComplete={send} autoFocus />
      )}
      <FormError error={form.problem} />
      <FormActions>
        <Button type="submit" variant="primary" busy={isPending}>
          Continue
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            setByRecovery(!byRecovery);
            form.set('code', '');
            form.clearErrors();
          }}
        >
          {byRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button variant="ghost" onClick={() => onStartAgain(null)}>
          Start again
        </Button>
      </FormActions>
    </form>
  );
}
