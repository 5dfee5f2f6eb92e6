import { useQuery } from '@tanstack/react-query';
import { setupHealthQuery } from '../../frame/health/setup-health.queries.js';
import { Panel } from '../../ui/panel.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { type App, savedCheckQuery, storeSettingsQuery } from '../apps.queries.js';
import { StepRow } from './step-row.js';
import { setupSteps } from './setup-steps.js';

/** Setup of an app's store, step by step. */
export function StoreTab({ projectId, app }: { projectId: string; app: App }) {
  const query = storeSettingsQuery(projectId, app.id);
  const settings = useQuery(query);
  const health = useQuery(setupHealthQuery(projectId));
  const { data: check } = useQuery(savedCheckQuery(projectId, app.id));
  const healthOfApp = health.data?.apps.find(({ id }) => id === app.id);
  return (
    <QueryPanel query={settings} queryKey={query.queryKey}>
      {(loaded) => {
        const steps = setupSteps({ app, settings: loaded, health: healthOfApp, check });
        const rows = (areOptional: boolean) =>
          steps
            .filter(({ isOptional }) => isOptional === areOptional)
            .map((step) => (
              <StepRow key={step.id} projectId={projectId} app={app} step={step} settings={loaded} />
            ));
        if (steps.length === 0)
          return (
            <Panel>
              This server cannot verify purchases of this store yet, so there is nothing to set up.
            </Panel>
          );
        return (
          <div className="grid gap-4">
            <Panel title="Steps" padded={false}>
              <ol className="divide-y divide-line">{rows(false)}</ol>
            </Panel>
            {steps.some(({ isOptional }) => isOptional) && (
              <Panel title="Optional" description="Purchases work without these." padded={false}>
                <ul className="divide-y divide-line">{rows(true)}</ul>
              </Panel>
            )}
          </div>
        );
      }}
    </QueryPanel>
  );
}
