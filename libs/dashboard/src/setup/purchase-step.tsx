import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { Icon } from '../ui/icons.js';
import { useAfter } from '../ui/loading/loaded.js';
import { Spinner } from '../ui/progress.js';
import { Time } from '../ui/format/time.js';
import { CausesList } from './causes-list.js';
import { type FirstPurchase, latestSdk, type SdkVersion } from './setup-progress.js';
import type { App } from './setup.queries.js';
import type { Setup } from './use-setup.js';

interface PurchaseStepProps {
  projectId: string;
  app: App;
  setup: Setup;
}

const CAUSES_AFTER_MS = 60_000;

/** Polls for the first call and the first purchase, and reports them. */
export function PurchaseStep({ projectId, app, setup }: PurchaseStepProps) {
  const { health, transaction, purchase, catalog } = setup;
  const sdk = health.data ? latestSdk(health.data) : null;
  const [atStart] = useState(purchase?.transactionId);
  const isNew = purchase !== null && atStart === undefined;
  const isQuiet = useAfter(purchase === null && sdk === null, CAUSES_AFTER_MS);
  const [asked, setAsked] = useState(false);
  const error = transaction.error ?? health.error;
  return (
    <>
      <p role="status" className="sr-only">
        {isNew && `First purchase received: ${purchase.product} by ${purchase.appUserId}`}
      </p>
      {purchase ? (
        <Received projectId={projectId} purchase={purchase} isNew={isNew} />
      ) : (
        <Waiting sdk={sdk} />
      )}
      {error && (
        <ErrorPanel error={error} onRetry={() => Promise.all([transaction.refetch(), health.refetch()])} />
      )}
      {purchase === null &&
        (isQuiet || asked ? (
          <CausesList
            projectId={projectId}
            app={app}
            products={catalog.data?.products ?? []}
            serverTime={health.data?.checked_at}
            readAt={health.dataUpdatedAt}
          />
        ) : (
          <Button size="sm" variant="ghost" icon="help" className="self-start" onClick={() => setAsked(true)}>
            Not seeing anything?
          </Button>
        ))}
    </>
  );
}

function Waiting({ sdk }: { sdk: SdkVersion | null }) {
  return (
    <div className="flex items-start gap-2.5">
      {sdk ? <Icon name="success" className="mt-0.5 text-good" /> : <Spinner className="mt-0.5 text-muted" />}
      <div>
        <p className="font-medium">
          {sdk ? (
            <>
              <DataText>
                {sdk.platform === null ? `SDK ${sdk.version}` : `SDK ${sdk.version} on ${sdk.platform}`}
              </DataText>{' '}
              called <Time ms={sdk.last_seen_at} />
            </>
          ) : (
            'No SDK request yet'
          )}
        </p>
        <p className="text-muted">
          {sdk
            ? 'The SDK reaches this server. Buy something in the app.'
            : 'This page updates automatically.'}
        </p>
      </div>
    </div>
  );
}

interface ReceivedProps {
  projectId: string;
  purchase: FirstPurchase;
  isNew: boolean;
}

function Received({ projectId, purchase: { product, appUserId }, isNew }: ReceivedProps) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) note.current?.scrollIntoView({ block: 'nearest' });
  }, [isNew]);
  return (
    <div ref={note} className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex min-w-0 items-start gap-2.5">
        <Icon name="success" className="mt-0.5 text-good" />
        <span className="min-w-0">
          <strong className="font-semibold">
            {isNew ? 'First purchase received' : 'Purchases arrive. The latest'}
          </strong>
          {': '}
          <DataText mono>{product}</DataText> by <DataText mono>{appUserId}</DataText>
        </span>
      </p>
      <Link
        to="/projects/$projectId/customer"
        params={{ projectId }}
        search={{ id: appUserId }}
        className={buttonClass({ variant: isNew ? 'primary' : 'secondary' })}
      >
        View customer
      </Link>
    </div>
  );
}
