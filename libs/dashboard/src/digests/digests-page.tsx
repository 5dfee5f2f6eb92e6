import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { IntegrationsPage } from '../frame/pages/integrations-page.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Time } from '../ui/format/time.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { CreateDialog } from './create-dialog.js';
import { channelsQuery, type Digest, digestList } from './digests.queries.js';
import { scheduleText } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/integrations/digests');

/** Figures that are sent to channels and members. */
export default function DigestsPage() {
  const { projectId } = route.useParams();
  const navigate = route.useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const may = useMay('createDigest');
  const query = digestList(projectId);
  const list = useInfiniteQuery(query);
  const channels = useQuery(channelsQuery(projectId));
  const placeOf = ({ destination_id: channel, emails }: Digest): string => {
    if (channel !== null) return channels.data?.find(({ id }) => id === channel)?.label ?? channel;
    return emails.length === 1 ? '1 member' : `${emails.length} members`;
  };
  const create = (
    <Button variant="primary" icon="plus" disabledReason={may.reason} onClick={() => setIsCreating(true)}>
      Create digest
    </Button>
  );
  const isEmpty = list.data?.pages[0]?.items.length === 0;
  return (
    <IntegrationsPage tab="Digests" actions={!isEmpty && create}>
      <Panel padded={false}>
        <QueryList
          label="Digests"
          query={list}
          queryKey={query.queryKey}
          things="digests"
          empty={{
            sentence: 'Get yesterday’s figures in your team’s channel every morning.',
            action: create,
            docs: docsOf('Digests'),
          }}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/projects/${projectId}/integrations/digests/${id}`}
          columns={[
            {
              id: 'name',
              header: 'Name',
              cell: ({ name }) => <DataText truncate>{name}</DataText>,
              priority: 1,
            },
            {
              id: 'place',
              header: 'Sent to',
              cell: (digest) => <DataText truncate>{placeOf(digest)}</DataText>,
              priority: 2,
            },
            {
              id: 'schedule',
              header: 'When',
              cell: (digest) => scheduleText(digest),
              width: 'minmax(0, 1.4fr)',
              priority: 2,
            },
            {
              id: 'next',
              header: 'Next',
              cell: ({ enabled, next_at: next }) =>
                enabled ? <Time ms={next} /> : <Badge icon="pause">Off</Badge>,
              width: '9rem',
              priority: 1,
            },
            {
              id: 'last',
              header: 'Last sent',
              cell: ({ last_sent_at: last }) => <Time ms={last} none="Never" />,
              width: '9rem',
              priority: 3,
            },
          ]}
        />
      </Panel>
      {isCreating && (
        <CreateDialog
          projectId={projectId}
          onClose={() => setIsCreating(false)}
          onDone={({ id }) =>
            void navigate({
              to: '/projects/$projectId/integrations/digests/$digestId',
              params: { projectId, digestId: id },
            })
          }
        />
      )}
    </IntegrationsPage>
  );
}
