import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.js';
import { FormActions, FormError } from '../../ui/forms/form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { CodeField } from './code-field.js';
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
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const complete = useCompleteSignIn(onDone);
  const { error, isPending } = complete;
  const isWrong = error?.type === 'two_factor_invalid';
  const ended = error?.type === 'authentication_error' ? error.message : null;
  useEffect(() => {
    if (ended !== null) onStartAgain(ended);
  }, [ended, onStartAgain]);
  const send = (given: string) => {
    if (isPending) return;
    setMissing(given === '');
    if (given !== '')
      complete.mutate({
        login_token: loginToken,
        ...(byRecovery ? { recovery_code: given } : { code: given }),
      });
  };
  const change = (value: string) => {
    setCode(value);
    setMissing(false);
  };
  const fieldError = missing ? 'Enter the code.' : isWrong ? error.message : null;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        send(code.trim());
      }}
    >
      <p className="text-muted">
        {byRecovery
          ? 'Enter one of the recovery codes that you saved. Each of them works once.'
          : 'Enter the code that your authenticator app shows for Tenure.'}
      </p>
      {byRecovery ? (
        <TextField
          key="recovery"
          label="Recovery code"
          value={code}
          mono
          autoComplete="off"
          autoCapitalize="off"
          autoFocus
          error={fieldError}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <CodeField value={code} onChange={change} onComplete={send} error={fieldError} autoFocus />
      )}
      <FormError error={error && !isWrong ? error.message : null} />
      <FormActions>
        <Button type="submit" variant="primary" busy={isPending}>
          Continue
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            setByRecovery(!byRecovery);
            change('');
            complete.reset();
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
