import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/loading/error-panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { OwnSteps } from './own-steps.js';
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
  const [isOwn, setIsOwn] = useState(app.type !== 'test_store');
  return (
    <>
      <p className="text-muted">
        Products unlock entitlements, and an offering says which ones your app shows.
      </p>
      <QueryPanel query={catalog} queryKey={catalogQuery(projectId, app.id).queryKey}>
        {(data) =>
          isOwn ? (
            <>
              <OwnSteps {...{ projectId, app, catalog: data, onMade }} />
              {app.type === 'test_store' && (
                <Button variant="ghost" size="sm" className="self-start" onClick={() => setIsOwn(false)}>
                  Back to the sample catalog
                </Button>
              )}
            </>
          ) : (
            <SampleCatalog {...{ projectId, app, catalog: data, onMade }} onOwn={() => setIsOwn(true)} />
          )
        }
      </QueryPanel>
    </>
  );
}

interface SampleCatalogProps {
  projectId: string;
  app: App;
  catalog: Catalog;
  onMade: () => void;
  onOwn: () => void;
}

function SampleCatalog({ projectId, app, catalog, onMade, onOwn }: SampleCatalogProps) {
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
        <Button onClick={onOwn}>Create my own</Button>
      </div>
    </>
  );
}
