import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { itemsOf } from '../api/paging.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Time } from '../ui/format/time.js';
import { KeyValues } from '../ui/key-values.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { WithSidePanel } from '../ui/overlays/side-panel.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { visibleText } from '../ui/text/visible-text.js';
import { datasetLabel } from './dataset-labels.js';
import { placeOf } from './destinations/destination-kinds.js';
import { ExportActions } from './export-actions.js';
import { destinationsQuery, type Export, exportQuery, runList } from './exports.queries.js';
import { FailingBanner } from './failing-banner.js';
import { scheduleText } from './form/schedule-text.js';
import { RunPanel } from './runs/run-panel.js';
import { RunsList } from './runs/runs-list.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/exports/$exportId');

/** One export: what it delivers, and its runs. */
export default function ExportPage() {
  const { projectId, exportId } = route.useParams();
  const { run: runId } = route.useSearch();
  const navigate = route.useNavigate();
  const query = exportQuery(projectId, exportId);
  const found = useQuery(query);
  const runs = itemsOf(useInfiniteQuery(runList(projectId, exportId)).data);
  const { data } = found;
  const openRun = (id: string | undefined) => void navigate({ search: { run: id } });
  return (
    <Page
      title={data ? visibleText(data.name) : 'Export'}
      id={exportId}
      badges={data?.state === 'paused' && <Badge icon="pause">Paused</Badge>}
      actions={data && <ExportActions projectId={projectId} found={data} />}
    >
      {data ? (
        <>
          <FailingBanner projectId={projectId} found={data} runs={runs} />
          <Facts projectId={projectId} found={data} />
          <WithSidePanel
            panel={
              runId !== undefined && (
                <RunPanel
                  key={runId}
                  projectId={projectId}
                  exportId={exportId}
                  runId={runId}
                  listed={runs.find(({ id }) => id === runId)}
                  onClose={() => openRun(undefined)}
                />
              )
            }
          >
            <Panel title="Runs" padded={false}>
              <RunsList
                projectId={projectId}
                exportId={exportId}
                openId={runId}
                onOpen={({ id }) => openRun(id)}
              />
            </Panel>
          </WithSidePanel>
        </>
      ) : (
        <Panel>
          <QueryPanel query={found} queryKey={query.queryKey}>
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}

const environmentLabels = {
  production: 'Production',
  sandbox: 'Sandbox',
  all: 'Production and sandbox',
};

function Facts({ projectId, found }: { projectId: string; found: Export }) {
  const destinations = useQuery(destinationsQuery(projectId));
  const destination = destinations.data?.find(({ id }) => id === found.destination_id);
  return (
    <Panel>
      <KeyValues
        items={[
          [
            'Data',
            <DataText key="data">
              {found.datasets.map(({ name, version }) => `${datasetLabel(name)} v${version}`).join(', ')}
            </DataText>,
          ],
          [
            'Destination',
            <span key="destination" className="flex min-w-0 flex-wrap gap-x-2">
              <DataText>{destination?.name ?? found.destination_id}</DataText>
              {destination && (
                <DataText mono className="text-muted">
                  {placeOf(destination)}
                </DataText>
              )}
            </span>,
          ],
          [
            'Format',
            `${found.format === 'csv' ? 'CSV (gzip)' : 'Parquet'}, ${
              found.mode === 'full' ? 'every row, every time' : 'new and changed rows only'
            }`,
          ],
          ['Environment', environmentLabels[found.environment]],
          ['Schedule', scheduleText(found.schedule)],
          [
            'Next run',
            found.state === 'paused' ? (
              'Paused'
            ) : (
              <Time key="next" ms={found.next_run_at} show="full" none="On request" />
            ),
          ],
        ]}
      />
    </Panel>
  );
}
