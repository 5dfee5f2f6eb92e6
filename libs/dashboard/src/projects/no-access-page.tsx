import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { Page } from '../frame/pages/page.js';
import { usePreferences } from '../frame/preferences.js';
import { useSession } from '../frame/session/session-context.js';
import { Button } from '../ui/button.js';
import { buttonClass } from '../ui/button-class.js';
import { DataText } from '../ui/text/data-text.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { Panel } from '../ui/panel.js';
import { useSignOut } from './new-project.queries.js';

export default function NoAccessPage() {
  // An invitation may be accepted in another tab meanwhile.
  const { data: account } = useQuery({
    ...accountQuery,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const session = useSession();
  const { forget } = usePreferences();
  const signOut = useSignOut(() => {
    forget();
    void session.signedOut();
  });
  if (account && account.projects.length > 0) return <Navigate to="/" replace />;
  return (
    <Page title="You are not a member of any project">
      <Panel className="max-w-xl">
        <div className="flex flex-col gap-4">
          <p>
            <DataText>{`You are signed in as ${account?.user.email ?? ''}. Ask an admin of the project that you want to see to invite this address.`}</DataText>
          </p>
          <p className="text-muted">Or create your own project.</p>
          <FormError error={signOut.error?.message} />
          <FormActions>
            <Link to="/new" className={buttonClass({ variant: 'primary' })}>
              New project
            </Link>
            <Button icon="log-out" busy={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out
            </Button>
          </FormActions>
        </div>
      </Panel>
    </Page>
  );
}
