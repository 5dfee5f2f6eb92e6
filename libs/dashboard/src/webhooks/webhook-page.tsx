import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Tabs } from '../ui/tabs.js';
import { visibleText } from '../ui/text/visible-text.js';
import { DeliveriesTab } from './deliveries/deliveries-tab.js';
import { ReplaysList } from './replays/replays-list.js';
import { SettingsTab } from './settings-tab.js';
import { StateBadge } from './state-badge.js';
import { useHealth } from './use-health.js';
import { WebhookActions } from './webhook-actions.js';
import { integrationQuery } from './webhooks.queries.js';

const stateHints = {
  failing: 'Failed deliveries are retried for about two and a half hours.',
  open: 'The endpoint failed many times in a row. Deliveries wait until a probe succeeds; a test event, a retry or a replay sends one at once.',
  paused: 'Nothing is sent. Events that happen now are not queued.',
};

const route = getRouteApi('/signed-in/projects/$projectId/webhooks/$webhookId');

/** One endpoint: its deliveries, replays and settings. */
export default function WebhookPage() {
  const { projectId, webhookId } = route.useParams();
  const { tab = 'deliveries' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = integrationQuery(projectId, webhookId);
  const integration = useQuery(query);
  const known = useHealth(projectId)(webhookId);
  const { data } = integration;
  return (
    <Page
      title={data ? visibleText(data.name) : 'Webhook'}
      id={webhookId}
      badges={known && <StateBadge {...known.health} />}
      actions={
        data && (
          <WebhookActions
            projectId={projectId}
            integration={data}
            isPaused={known?.state.enabled === false}
          />
        )
      }
    >
      {data ? (
        <>
          <div className="flex flex-col gap-1 md:-mt-5">
            <DataText mono className="text-muted">
              {data.url}
            </DataText>
            {known && known.health.state !== 'delivering' && (
              <p>
                {known.health.error !== null && (
                  <>
                    The last delivery failed: <DataText>{known.health.error.replace(/\.$/, '')}</DataText>
                    .{' '}
                  </>
                )}
                {stateHints[known.health.state]}
              </p>
            )}
          </div>
          <div>
            <Tabs
              label="Webhook"
              value={tab}
              onChange={(next) =>
                void navigate({ search: { tab: next === 'deliveries' ? undefined : next }, replace: true })
              }
              tabs={[
                { id: 'deliveries', label: 'Deliveries' },
                { id: 'replays', label: 'Replays' },
                { id: 'settings', label: 'Settings' },
              ]}
            >
              {tab === 'deliveries' && <DeliveriesTab projectId={projectId} webhookId={webhookId} />}
              {tab === 'replays' && <ReplaysList projectId={projectId} webhookId={webhookId} />}
              {tab === 'settings' && (
                <SettingsTab projectId={projectId} integration={data} state={known?.state} />
              )}
            </Tabs>
          </div>
        </>
      ) : (
        <Panel>
          <QueryPanel query={integration} queryKey={query.queryKey}>
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}
