import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { Num } from '../../ui/format/money.js';
import { Time } from '../../ui/format/time.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Panel } from '../../ui/panel.js';
import { replaysQuery } from './replays.queries.js';

const counts = {
  queued: 'Queued',
  delivered: 'Delivered',
  waiting: 'Waiting',
  skipped: 'Skipped',
  failed: 'Failed',
  pending: 'Pending',
};

/** Replays to a destination, newest first; each opens its deliveries. */
export function ReplaysList({ projectId, destinationId }: { projectId: string; destinationId: string }) {
  const query = replaysQuery(projectId, destinationId);
  const list = useInfiniteQuery(query);
  return (
    <Panel padded={false}>
      <QueryList
        label="Replays"
        query={list}
        queryKey={query.queryKey}
        things="replays"
        empty={{
          sentence: 'No replays yet. A replay sends the events of a period.',
          docs: docsOf('Destination deliveries'),
        }}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/projects/${projectId}/integrations/${destinationId}?replay=${id}`}
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
            cell: ({ deliveries }) => (deliveries === 'all' ? 'Every event' : 'Failed and skipped'),
            width: '8rem',
            priority: 3,
          },
          ...(Object.keys(counts) as (keyof typeof counts)[]).map((name) => ({
            id: name,
            header: counts[name],
            cell: (replay: Record<typeof name, number>) => <Num value={replay[name]} />,
            align: 'end' as const,
            width: '4.5rem',
            priority: name === 'queued' ? (1 as const) : (3 as const),
          })),
        ]}
      />
    </Panel>
  );
}
