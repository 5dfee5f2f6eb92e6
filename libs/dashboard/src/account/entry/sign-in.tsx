import { useCallback, useState } from 'react';
import { CodeStep } from './code-step.js';
import { SignInForm } from './sign-in-form.js';

interface SignInProps {
  fixedEmail?: string;
  onDone: () => void;
  onStep?: (step: 'password' | 'code') => void;
}

/** A sign-in with its two steps. */
export function SignIn({ fixedEmail, onDone, onStep }: SignInProps) {
  const [loginToken, setLoginToken] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const startAgain = useCallback(
    (why: string | null) => {
      setLoginToken(null);
      setReason(why);
      onStep?.('password');
    },
    [onStep],
  );
  if (loginToken !== null)
    return <CodeStep loginToken={loginToken} onDone={onDone} onStartAgain={startAgain} />;
  return (
    <SignInForm
      fixedEmail={fixedEmail}
      reason={reason}
      onDone={onDone}
      onCodeNeeded={(token) => {
        setLoginToken(token);
        onStep?.('code');
      }}
    />
  );
}
