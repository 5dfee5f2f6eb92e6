import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { IntegrationsPage } from '../frame/pages/integrations-page.js';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { CreateDialog } from './create-dialog.js';
import { ListenCommand } from './listen-command.js';
import { DeliveredShare, CappedCount } from '../frame/deliveries/state-counts.js';
import { StateBadge } from './state-badge.js';
import { useHealth } from './use-health.js';
import type { Health } from './webhook-health.js';
import { integrationsQuery } from './webhooks.queries.js';

const environmentLabels = { production: 'Production', sandbox: 'Sandbox', both: 'Both' };

const route = getRouteApi('/signed-in/projects/$projectId/webhooks');

/** Endpoints for events, and their state. */
export default function WebhooksPage() {
  const { projectId } = route.useParams();
  const [isCreating, setIsCreating] = useState(false);
  const may = useMay('createWebhookIntegration');
  const query = integrationsQuery(projectId);
  const list = useInfiniteQuery(query);
  const health = useHealth(projectId);
  const create = (
    <Button variant="primary" icon="plus" disabledReason={may.reason} onClick={() => setIsCreating(true)}>
      Create webhook
    </Button>
  );
  const isEmpty = list.data?.pages[0]?.items.length === 0;
  return (
    <IntegrationsPage tab="Webhooks" actions={!isEmpty && create}>
      <Panel padded={false}>
        <QueryList
          label="Webhooks"
          query={list}
          queryKey={query.queryKey}
          things="webhooks"
          empty={{
            sentence: 'Tell your backend what happens to customers.',
            action: create,
            docs: docsOf('Webhook integrations'),
          }}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/webhooks/${id}`}
          columns={[
            {
              id: 'name',
              header: 'Name',
              cell: ({ name }) => <DataText truncate>{name}</DataText>,
              priority: 1,
            },
            {
              id: 'state',
              header: 'State',
              cell: ({ id }) => <HealthCell known={health(id)?.health} />,
              width: 'minmax(9rem, 1.6fr)',
              priority: 1,
            },
            {
              id: 'address',
              header: 'Address',
              cell: ({ url }) => <DataText truncate>{url}</DataText>,
              width: 'minmax(0, 1.4fr)',
              priority: 2,
            },
            {
              id: 'takes',
              header: 'Events',
              cell: ({ event_types: types }) =>
                types.length === 0 ? (
                  'All types'
                ) : (
                  <span data-tip={types.map((type) => type.toUpperCase()).join('\n')}>
                    {types.length === 1 ? '1 type' : `${types.length} types`}
                  </span>
                ),
              width: '5rem',
              priority: 3,
            },
            {
              id: 'environment',
              header: 'Environment',
              cell: ({ environment }) => environmentLabels[environment ?? 'both'],
              width: '6.5rem',
              priority: 3,
            },
            {
              id: 'share',
              header: 'Delivered in 24 h',
              label: 'Delivered in 24 h',
              cell: ({ id }) => <DeliveredShare state={health(id)?.state} />,
              align: 'end',
              width: '8rem',
              priority: 2,
            },
            {
              id: 'pending',
              header: 'Pending',
              cell: ({ id }) => <CappedCount value={health(id)?.state.pending} />,
              align: 'end',
              width: '6.5rem',
              priority: 3,
            },
          ]}
        />
      </Panel>
      <ListenCommand />
      {isCreating && <CreateDialog projectId={projectId} onClose={() => setIsCreating(false)} />}
    </IntegrationsPage>
  );
}

function HealthCell({ known }: { known: Health | undefined }) {
  if (!known) return null;
  return (
    <span className="flex min-w-0 flex-col items-start">
      <StateBadge {...known} />
      {known.error && (
        <DataText truncate className="max-w-full text-sm text-muted max-md:hidden">
          {known.error}
        </DataText>
      )}
    </span>
  );
}
