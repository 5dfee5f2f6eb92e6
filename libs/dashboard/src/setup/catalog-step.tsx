import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/permissions.js';
import { Button, buttonClass } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { type Catalog, doneSteps, isSellable, sampleSteps } from './sample-catalog.js';
import { SampleList } from './sample-list.js';
import { type App, catalogQuery } from './setup.queries.js';
import { useSampleCatalog } from './use-sample-catalog.js';

interface CatalogStepProps {
  projectId: string;
  app: App;
  catalog: UseQueryResult<Catalog>;
  onMade: () => void;
}

export function CatalogStep({ projectId, app, catalog, onMade }: CatalogStepProps) {
  return (
    <>
      <p className="text-muted">
        Products unlock entitlements, and an offering says which ones your app shows.
      </p>
      <QueryPanel query={catalog} queryKey={catalogQuery(projectId, app.id).queryKey}>
        {(data) =>
          app.type === 'test_store' ? (
            <SampleCatalog projectId={projectId} app={app} catalog={data} onMade={onMade} />
          ) : (
            <OwnCatalog projectId={projectId} />
          )
        }
      </QueryPanel>
    </>
  );
}

function OwnCatalog({ projectId }: { projectId: string }) {
  return (
    <Link to="/projects/$projectId/catalog/products" params={{ projectId }} className={buttonClass()}>
      Create my own
    </Link>
  );
}

interface SampleCatalogProps {
  projectId: string;
  app: App;
  catalog: Catalog;
  onMade: () => void;
}

function SampleCatalog({ projectId, app, catalog, onMade }: SampleCatalogProps) {
  const run = useSampleCatalog({ projectId, appId: app.id }, onMade);
  const reasons = [
    useMay('createEntitlement'),
    useMay('createProduct'),
    useMay('createOffering'),
    useMay('createPackage'),
  ].map(({ reason }) => reason);
  const done = doneSteps(catalog);
  const isComplete = done.size === sampleSteps.length;
  const canMake = !isComplete && (!isSellable(catalog) || run.isRunning || run.error !== null);
  return (
    <>
      {canMake && (
        <p className="text-muted">
          The sample catalog has what an app needs for a first purchase. Existing items are not changed.
        </p>
      )}
      <SampleList done={done} step={run.step} isFailed={run.error !== null} />
      {run.error && !run.isRunning && <ErrorPanel error={run.error} />}
      <div className="flex flex-wrap gap-3">
        {!isComplete && (
          <Button
            variant={canMake ? 'primary' : 'secondary'}
            busy={run.isRunning}
            disabledReason={reasons.find((reason) => reason !== null) ?? null}
            onClick={run.run}
          >
            {run.error && !run.isRunning ? 'Retry' : 'Create sample catalog'}
          </Button>
        )}
        <OwnCatalog projectId={projectId} />
      </div>
    </>
  );
}
