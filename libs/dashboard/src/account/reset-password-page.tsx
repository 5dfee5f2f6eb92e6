import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { PlainPage } from '../frame/pages/plain-page.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { CodeStep } from './entry/code-step.js';
import { resetLinkQuery } from './entry/entry.queries.js';
import { useFragment } from './entry/fragment.js';
import { useGoOn } from './entry/go-on.js';
import { LinkProblem } from './entry/link-problem.js';
import { AskForLink, SetPassword } from './entry/reset-forms.js';

interface OfLinkProps {
  token: string;
  onCodeNeeded: (loginToken: string) => void;
  onNewLink: () => void;
}

/** Opening the page only checks the link, which works until the password is set. */
function OfLink({ token, onCodeNeeded, onNewLink }: OfLinkProps) {
  const goOn = useGoOn();
  const link = useQuery(resetLinkQuery(token));
  return (
    <QueryPanel query={link} queryKey={resetLinkQuery(token).queryKey}>
      {({ valid, reason }) =>
        valid ? (
          <SetPassword
            token={token}
            onNewLink={onNewLink}
            onDone={({ login_token: loginToken }) => (loginToken ? onCodeNeeded(loginToken) : goOn())}
          />
        ) : (
          <LinkProblem reason={reason} onNewLink={onNewLink} />
        )
      }
    </QueryPanel>
  );
}

export default function ResetPasswordPage() {
  const token = useFragment('token');
  // Set once the link turns out not to work; the page then offers another.
  const [deadToken, setDeadToken] = useState<string | null>(null);
  const [loginToken, setLoginToken] = useState<string | null>(null);
  const { history } = useRouter();
  const goOn = useGoOn();
  const toSignIn = useCallback(() => history.replace('/login'), [history]);
  if (loginToken !== null)
    return (
      <PlainPage title="Two-factor authentication">
        <CodeStep loginToken={loginToken} onDone={() => goOn()} onStartAgain={toSignIn} />
      </PlainPage>
    );
  return (
    <PlainPage title="Reset your password">
      {token !== null && token !== deadToken ? (
        <OfLink
          key={token}
          token={token}
          onCodeNeeded={setLoginToken}
          onNewLink={() => setDeadToken(token)}
        />
      ) : (
        <AskForLink />
      )}
      <Link to="/login" className="self-start">
        Go to sign-in
      </Link>
    </PlainPage>
  );
}
