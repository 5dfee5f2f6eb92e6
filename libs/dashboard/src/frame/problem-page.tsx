import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asCallError } from '../api/call-error.js';
import { Button } from '../ui/button.js';
import { CopyId } from '../ui/copy-id.js';
import { Page } from './page.js';
import { PageNotLoaded } from './stale-assets.js';

export function Problem({ title, children }: { title: string; children: ReactNode }) {
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
