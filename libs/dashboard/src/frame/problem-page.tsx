import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../api/client.js';
import { asCallError } from '../api/call-error.js';
import { allowanceIn, permissionsOf, useProject } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { CopyId } from '../ui/copy-id.js';
import { DataText } from '../ui/data-text.js';
import { Page } from './page.js';
import { PageNotLoaded } from './stale-assets.js';

function Problem({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title}>
      <div className="flex max-w-prose flex-col items-start gap-3">{children}</div>
    </Page>
  );
}

export function NotFoundPage() {
  return (
    <Problem title="Page not found">
      <p>
        There is nothing at this address. It may have been deleted, or you may not be a member of its project.
      </p>
      <Link to="/">Go to your project</Link>
    </Problem>
  );
}

function Admins() {
  const { projectId = '' } = useParams({ strict: false });
  const { allowed } = allowanceIn(useProject(), 'listCollaborators');
  const { data } = useQuery({
    queryKey: [projectId, 'members', 'admins'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/collaborators', {
          params: { path: { project_id: projectId } },
          signal,
        }),
      ),
    enabled: allowed,
  });
  const admins = data?.items.filter(({ role }) => role === 'admin') ?? [];
  if (admins.length === 0) return <p>An admin of the project can give it to you.</p>;
  return (
    <div>
      <p>These admins can give it to you:</p>
      <ul className="mt-1 list-disc ps-5">
        {admins.map(({ id, name, email }) => (
          <li key={id}>
            <DataText>{name ? `${name} (${email})` : email}</DataText>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `operation` is what the page cannot do without. */
export function NoPermissionPage({ operation }: { operation: string }) {
  return (
    <Problem title="You cannot see this page">
      <p>
        It takes the permission{' '}
        <code className="font-mono text-sm">{permissionsOf(operation).join(', ')}</code>, which you do not
        have in this project.
      </p>
      <Admins />
      <Link to="/">Go to your project</Link>
    </Problem>
  );
}

/** A page that could not be loaded or drawn. The rest of the window works. */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  if (error instanceof PageNotLoaded) {
    return (
      <Problem title="This page could not be loaded">
        <p role="alert">The dashboard was updated, or the server cannot be reached. Load the page again.</p>
        <Button variant="primary" icon="refresh" onClick={() => location.reload()}>
          Load again
        </Button>
      </Problem>
    );
  }
  const { message, requestId } = asCallError(error);
  return (
    <Problem title="This page could not be shown">
      <p role="alert">{message}</p>
      {requestId !== null && (
        <p className="flex items-center gap-1 text-muted">
          Request id <CopyId id={requestId} />
        </p>
      )}
      <Button variant="primary" icon="refresh" onClick={reset}>
        Try again
      </Button>
    </Problem>
  );
}
