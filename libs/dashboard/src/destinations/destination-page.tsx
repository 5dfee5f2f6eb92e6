import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { useNow } from '../ui/format/format-context.js';
import { FormError } from '../ui/forms/form.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { Tabs } from '../ui/tabs.js';
import { visibleText } from '../ui/text/visible-text.js';
import { DeliveriesTab } from './deliveries/deliveries-tab.js';
import { WaitingTab } from './deliveries/waiting-tab.js';
import { DestinationActions } from './destination-actions.js';
import { healthHint, healthOf } from './destination-health.js';
import { destinationQuery, statesQuery, typesQuery } from './destinations.queries.js';
import { useTestDestination } from './destinations.writes.js';
import { HealthBadge } from './health-badge.js';
import { ReplaysList } from './replays/replays-list.js';
import { SettingsTab } from './settings-tab.js';
import { TestResult } from './test-result.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/$destinationId');

/** One destination: its deliveries, those that wait, and its settings. */
export default function DestinationPage() {
  const { projectId, destinationId } = route.useParams();
  const { tab = 'deliveries' } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const test = useTestDestination(projectId);
  const query = destinationQuery(projectId, destinationId);
  const destination = useQuery(query);
  const types = useQuery(typesQuery(projectId));
  const states = useQuery(statesQuery(projectId));
  const { data } = destination;
  const type = types.data?.find(({ id }) => id === data?.type);
  const state = states.data?.find(({ id }) => id === destinationId);
  const hint = data && type && state && healthHint(healthOf(state, data, now), type.name);
  return (
    <Page
      title={data ? visibleText(data.name) : 'Destination'}
      id={destinationId}
      badges={data && <HealthBadge destination={data} state={state} />}
      actions={
        data &&
        type && <DestinationActions projectId={projectId} destination={data} type={type} test={test} />
      }
    >
      {data && type ? (
        <>
          {(data.name !== type.name || hint) && (
            <div className="flex flex-col gap-1 md:-mt-5">
              {data.name !== type.name && <p className="text-muted">{type.name}</p>}
              {hint && <p>{hint}</p>}
            </div>
          )}
          {(test.data || test.error) && (
            <Panel>
              {test.data && <TestResult tool={type.name} result={test.data} />}
              <FormError error={test.error?.message} />
            </Panel>
          )}
          <div>
            <Tabs
              label="Destination"
              value={tab}
              onChange={(next) =>
                void navigate({ search: { tab: next === 'deliveries' ? undefined : next }, replace: true })
              }
              tabs={[
                { id: 'deliveries', label: 'Deliveries' },
                { id: 'waiting', label: 'Waiting', count: state?.waiting || null },
                { id: 'replays', label: 'Replays' },
                { id: 'settings', label: 'Settings' },
              ]}
            >
              {tab === 'deliveries' && <DeliveriesTab projectId={projectId} destinationId={destinationId} />}
              {tab === 'waiting' && (
                <WaitingTab projectId={projectId} destinationId={destinationId} waiting={state?.waiting} />
              )}
              {tab === 'replays' && <ReplaysList projectId={projectId} destinationId={destinationId} />}
              {tab === 'settings' && (
                <SettingsTab projectId={projectId} destination={data} type={type} state={state} />
              )}
            </Tabs>
          </div>
        </>
      ) : (
        <Panel>
          <QueryPanel
            query={data ? types : destination}
            queryKey={data ? typesQuery(projectId).queryKey : query.queryKey}
          >
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}
