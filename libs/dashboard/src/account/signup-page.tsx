import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { authConfigQuery } from '../api/account.queries.js';
import { PlainPage } from '../frame/pages/plain-page.js';
import { buttonClass } from '../ui/button-class.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { useFragment } from './entry/fragment.js';
import { useGoOn } from './entry/go-on.js';
import { SignUpForm } from './entry/sign-up-form.js';

const route = getRouteApi('/signup');

function titleOf(signup: string | undefined): string {
  if (signup === 'closed') return 'Sign-up is closed';
  return signup === 'first_account' ? 'Set up this server' : 'Create your account';
}

export default function SignupPage() {
  const { next } = route.useSearch();
  const setupToken = useFragment('setup');
  const config = useQuery(authConfigQuery);
  const goOn = useGoOn();
  const signup = config.data?.signup;
  /** Opens the setup of the project that the person has just named. */
  const begin = (projectId: string) => goOn(next ?? `/projects/${projectId}/setup`);
  return (
    <PlainPage title={titleOf(signup)}>
      <QueryPanel query={config} queryKey={authConfigQuery.queryKey}>
        {() =>
          signup === 'closed' ? (
            <>
              <p>
                This server takes new accounts by invitation only. Ask an admin of the project that you want
                to join to invite you.
              </p>
              <Link to="/login" search={{ next }} className={`mt-5 ${buttonClass()}`}>
                Go to sign-in
              </Link>
            </>
          ) : (
            <div className="flex flex-col gap-4">
              {signup === 'first_account' && (
                <p className="text-muted">Create the first account, with a project for your app.</p>
              )}
              <SignUpForm setupToken={setupToken} onDone={begin} />
              {signup === 'open' && (
                <p className="text-muted">
                  Already have an account?{' '}
                  <Link to="/login" search={{ next }} className="underline">
                    Sign in
                  </Link>
                </p>
              )}
            </div>
          )
        }
      </QueryPanel>
    </PlainPage>
  );
}
