import { lazy, Suspense, useCallback, useState } from 'react';
import { SignInForm } from './sign-in-form.js';

const CodeStep = lazy(() => import('./code-step.js').then((module) => ({ default: module.CodeStep })));

interface SignInProps {
  fixedEmail?: string;
  /** Target after single sign-on, which is offered only with it. */
  ssoNext?: string;
  onDone: () => void;
  onStep?: (step: 'password' | 'code') => void;
}

/** A sign-in with both steps. */
export function SignIn({ fixedEmail, ssoNext, onDone, onStep }: SignInProps) {
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
    return (
      <Suspense>
        <CodeStep loginToken={loginToken} onDone={onDone} onStartAgain={startAgain} />
      </Suspense>
    );
  return (
    <SignInForm
      fixedEmail={fixedEmail}
      ssoNext={ssoNext}
      reason={reason}
      onDone={onDone}
      onCodeNeeded={(token) => {
        setLoginToken(token);
        onStep?.('code');
      }}
    />
  );
}
