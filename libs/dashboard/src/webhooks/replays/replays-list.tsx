import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { replaysQuery } from '../webhooks.queries.js';

const listLabels = { queued: 'Queued', delivered: 'Delivered', failed: 'Failed', pending: 'Pending' };

/** Replays, newest first; each opens its deliveries. */
export function ReplaysList({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const query = replaysQuery(projectId, webhookId);
  const list = useInfiniteQuery(query);

  return (
    <Panel padded={false}>
      <QueryList
        label="Replays"
        query={list}
        queryKey={query.queryKey}
        things="replays"
        empty={{
          sentence: 'No replays yet. A replay sends the events of a period again.',
          docs: docsOf('Webhook deliveries'),
        }}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/projects/${projectId}/webhooks/${webhookId}?replay=${id}`}
        columns={[
          {
            id: 'requested',
            header: 'Requested',
            cell: ({ requested_at: ms }) => <Time ms={ms} />,
            width: '6.5rem',
            priority: 1,
          },
          {
            id: 'period',
            header: 'Events of',
            cell: ({ from, to }) => (
              <>
                <Time ms={from} show="full" /> – <Time ms={to} show="full" />
              </>
            ),
            priority: 2,
          },
          {
            id: 'what',
            header: 'What',
            cell: ({ deliveries }) => (deliveries === 'all' ? 'Every event' : 'Failed deliveries'),
            width: '8rem',
            priority: 3,
          },
          ...(['queued', 'delivered', 'failed', 'pending'] as const).map((name) => ({
            id: name,
            header: listLabels[name],
            cell: (replay: Record<typeof name, number>) => <Num value={replay[name]} />,
            align: 'end' as const,
            width: '4.75rem',
            priority: name === 'queued' ? (1 as const) : (3 as const),
          })),
        ]}
      />
    </Panel>
  );
}
