import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationAuditEntry, SsoConnection } from '../../api/enterprise.types.js';
import { Badge } from '../../ui/badge.js';
import { Button, buttonClass } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { ErrorPanel } from '../../ui/loading/error-panel.js';
import { KeyValues } from '../../ui/key-values.js';
import { Panel } from '../../ui/panel.js';
import { Spinner } from '../../ui/progress.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { CopyValue } from './copy-value.js';
import { cureOf } from './sso-reasons.js';
import { newestSignIn } from './sso.queries.js';

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The result of a sign-in: the check that failed, and how to fix it. */
function Outcome({ entry: { action, actor, data } }: { entry: OrganizationAuditEntry }) {
  const email = textOf(data.email) ?? actor.email;
  const shown = email === null ? null : visibleText(email);
  const reason = textOf(data.reason) ?? '';
  if (action === 'sso_sign_in')
    return (
      <p>
        <Badge tone="good">On</Badge> {`It works: ${shown ?? ''} has signed in.`}
      </p>
    );
  return (
    <div className="grid grid-cols-1 gap-2">
      <p>
        <Badge tone="bad">{shown === null ? 'A sign-in failed.' : `The sign-in of ${shown} failed.`}</Badge>
      </p>
      <p>
        Check that failed: <DataText mono>{reason}</DataText>
      </p>
      <p>{cureOf(reason)}</p>
    </div>
  );
}

/** Watches the organization's audit log for a sign-in in another tab or window. */
export function TryPanel({ orgId, connection }: { orgId: string; connection: SsoConnection }) {
  const { start_url: startUrl } = connection.sp;
  const [sinceMs, setSinceMs] = useState<number | null>(null);
  const [seenId, setSeenId] = useState<string>();
  const signIn = useQuery({ ...newestSignIn(orgId, sinceMs ?? 0, seenId), enabled: sinceMs !== null });
  // The server's clock may be slightly behind the browser's.
  const watch = () => {
    setSeenId(signIn.data?.id);
    setSinceMs(Date.now() - 2_000);
  };
  const entry = sinceMs === null ? null : signIn.data;
  const isWaiting = sinceMs !== null && !entry;
  return (
    <Panel
      title="5. Try it"
      description={
        connection.enabled
          ? 'Sign in once with an account of the provider. This page shows the result.'
          : 'Turn it on first: a connection that is off accepts no sign-ins.'
      }
    >
      {connection.enabled && (
        <div className="grid grid-cols-1 gap-3">
          <p className="text-sm text-muted">
            In this browser, the new tab signs you in as that person. In a private window, this session stays
            as it is.
          </p>
          <KeyValues
            items={[
              [
                'Address that starts the sign-in',
                <CopyValue key="start" label="Address that starts the sign-in" value={startUrl} />,
              ],
            ]}
          />
          <div className="flex flex-wrap gap-2">
            <a
              href={startUrl}
              target="_blank"
              rel="noopener"
              onClick={watch}
              className={buttonClass({ variant: 'primary' })}
            >
              Open in a new tab
            </a>
            {isWaiting ? (
              <Button onClick={() => setSinceMs(null)}>Stop</Button>
            ) : (
              <Button onClick={watch}>I will open it elsewhere</Button>
            )}
          </div>
          <div role="status" className="empty:hidden">
            {isWaiting && !signIn.error && (
              <p className="flex items-center gap-2 text-muted">
                <Spinner /> Waiting for a sign-in
              </p>
            )}
            {entry && <Outcome entry={entry} />}
          </div>
          {signIn.error && <ErrorPanel error={signIn.error} onRetry={signIn.refetch} />}
        </div>
      )}
    </Panel>
  );
}
