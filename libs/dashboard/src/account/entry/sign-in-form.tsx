import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { FormError } from '../../ui/forms/form.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { useSignIn } from './sign-in.queries.js';
import { useSso } from './use-sso.js';

const SSO_REQUIRED = 'sso_required';
const SsoOffer = lazy(() => import('./sso-offer.js'));

interface SignInFormProps {
  /** The address of an invitation, which cannot be changed. */
  fixedEmail?: string;
  /** Why an earlier attempt ended. */
  reason?: string | null;
  /** Target after single sign-on, which is offered only with it. */
  ssoNext?: string;
  onDone: () => void;
  /** Called if the account has two-factor authentication. */
  onCodeNeeded: (loginToken: string) => void;
}

/** Sign-in with email address and password. */
export function SignInForm({ fixedEmail, reason, ssoNext, onDone, onCodeNeeded }: SignInFormProps) {
  const signIn = useSignIn(({ login_token: token }) => (token ? onCodeNeeded(token) : onDone()));
  const sso = useSso(ssoNext);
  const { formProps, field, problem, values } = useForm({
    initial: { email: fixedEmail ?? '', password: '' },
    check: ({ email, password }) => ({
      email: email.trim() === '' ? 'Enter your email.' : null,
      password: password === '' ? 'Enter your password.' : null,
    }),
    write: signIn,
    onSubmit: (typed) =>
      signIn.mutate(typed, {
        onError: ({ type }) => {
          if (type === SSO_REQUIRED) sso.ask(typed.email, true);
        },
      }),
  });
  const ssoUrl = sso.urlFor(values.email);
  const isRequired = signIn.error?.type === SSO_REQUIRED;
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <TextField
        {...field('email')}
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="username"
        readOnly={fixedEmail !== undefined}
        onBlur={() => sso.ask(values.email)}
      />
      {ssoUrl === null ? (
        <>
          <SecretField {...field('password')} label="Password" autoComplete="current-password" />
          <FormError error={problem ?? (signIn.isIdle ? reason : null)} />
          <Button type="submit" variant="primary" busy={signIn.isPending} className="w-full">
            Sign in
          </Button>
          <Link to="/reset-password" className="self-start">
            Forgot your password?
          </Link>
        </>
      ) : (
        <Suspense>
          <SsoOffer url={ssoUrl} onPassword={isRequired ? null : sso.decline} />
        </Suspense>
      )}
    </form>
  );
}
