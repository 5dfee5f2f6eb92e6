import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../../api/docs-link.js';
import { Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { replaysQuery } from '../webhooks.queries.js';
import { text } from '../webhooks.text.js';

/** Replays, newest first; each opens its deliveries. */
export function ReplaysList({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const query = replaysQuery(projectId, webhookId);
  const list = useInfiniteQuery(query);
  const words = text.replay.list;
  return (
    <Panel padded={false}>
      <QueryList
        label={text.replays}
        query={list}
        queryKey={query.queryKey}
        things={text.replays.toLowerCase()}
        empty={{ sentence: words.empty, docs: docsOf('Webhook deliveries') }}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/projects/${projectId}/webhooks/${webhookId}?replay=${id}`}
        columns={[
          {
            id: 'requested',
            header: words.requested,
            cell: ({ requested_at: ms }) => <Time ms={ms} />,
            width: '6.5rem',
            priority: 1,
          },
          {
            id: 'period',
            header: words.period,
            cell: ({ from, to }) => (
              <>
                <Time ms={from} show="full" /> – <Time ms={to} show="full" />
              </>
            ),
            priority: 2,
          },
          {
            id: 'what',
            header: words.what,
            cell: ({ deliveries }) => (deliveries === 'all' ? words.all : words.failedOnly),
            width: '8rem',
            priority: 3,
          },
          ...(['queued', 'delivered', 'failed', 'pending'] as const).map((name) => ({
            id: name,
            header: words[name],
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
