import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { asCallError } from '../../api/call-error.js';
import { Button } from '../../ui/button.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { BarePage } from './bare-page.js';
import { isMissingFile, reloadIfAnswered, reloadOnce } from '../stale-assets.js';

/** Part of the first load, so without the breadcrumb, which needs the navigation. */
export function Problem({ title, children }: { title: string; children: ReactNode }) {
  return (
    <BarePage title={title}>
      <div className="flex max-w-prose flex-col items-start gap-3">{children}</div>
    </BarePage>
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

/** Reloads the page automatically once, if the server responds. */
function FileMissing() {
  const [outcome, setOutcome] = useState<Awaited<ReturnType<typeof reloadOnce>>>();
  const [isTrying, setIsTrying] = useState(false);
  useEffect(() => void reloadOnce().then(setOutcome), []);
  if (outcome === undefined || outcome === 'reloading') return <Skeleton lines={6} />;
  const tryAgain = () => {
    setIsTrying(true);
    void reloadIfAnswered().then((isReloading) => setIsTrying(isReloading));
  };
  const isUpdated = outcome === 'updated';
  return (
    <Problem title={isUpdated ? 'The dashboard was updated' : 'This page could not be loaded'}>
      <p role="alert">
        {isUpdated ? 'Load the page again to use the new version.' : 'The server cannot be reached.'}
      </p>
      <Button variant="primary" icon="refresh" busy={isTrying} onClick={tryAgain}>
        {isUpdated ? 'Load again' : 'Try again'}
      </Button>
    </Problem>
  );
}

/** A page that failed to load or render. The rest of the window still works. */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  if (isMissingFile(error)) return <FileMissing />;
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
