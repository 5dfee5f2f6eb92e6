import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { authConfigQuery } from '../api/account.queries.js';
import { PlainPage } from '../frame/pages/plain-page.js';
import { useGoOn } from './entry/go-on.js';
import { SignIn } from './entry/sign-in.js';

const route = getRouteApi('/login');
const SsoFailure = lazy(() => import('./entry/sso-failure.js'));

function SignUpHint({ next }: { next?: string }) {
  const { data } = useQuery(authConfigQuery);
  if (!data) return null;
  if (data.signup === 'closed')
    return <p className="text-muted">No account? Ask an admin of your project for an invitation.</p>;
  if (data.signup === 'open')
    return (
      <p className="text-muted">
        No account yet?{' '}
        <Link to="/signup" search={{ next }} className="underline">
          Create one
        </Link>
      </p>
    );
  // Nobody can sign in before the first account exists.
  return <Navigate to="/signup" replace />;
}

export default function LoginPage() {
  const { next, sso_error: ssoError } = route.useSearch();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const goOn = useGoOn();
  return (
    <PlainPage title={step === 'code' ? 'Two-factor authentication' : 'Sign in'}>
      {ssoError !== undefined && (
        <Suspense>
          <SsoFailure code={ssoError} />
        </Suspense>
      )}
      <SignIn ssoNext={next ?? '/'} onDone={() => goOn(next)} onStep={setStep} />
      {step === 'password' && <SignUpHint next={next} />}
    </PlainPage>
  );
}
