import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../api/docs-link.js';
import { Badge } from '../ui/badge.js';
import { Num } from '../ui/format/money.js';
import { Time } from '../ui/format/time.js';
import { QueryList } from '../ui/lists/query-list.js';
import { DataText } from '../ui/text/data-text.js';
import { appStores, tokenKinds, tokenStates } from './labels.js';
import { tokensQuery } from './store-reports.queries.js';

/** Tokens that apps received from their stores before purchases outside them. */
export function TokensList({ projectId }: { projectId: string }) {
  const query = tokensQuery(projectId);
  const list = useInfiniteQuery(query);
  return (
    <QueryList
      label="Tokens"
      things="tokens"
      query={list}
      queryKey={query.queryKey}
      empty={{ sentence: 'No outside purchases yet.', docs: docsOf('Outside purchases') }}
      rowKey={({ id }) => id}
      rowHref={({ customer_id: id }) =>
        id === null ? undefined : `/projects/${projectId}/customer?id=${encodeURIComponent(id)}`
      }
      columns={[
        {
          id: 'token',
          header: 'Token',
          priority: 1,
          cell: ({ id }) => (
            <DataText mono truncate>
              {id}
            </DataText>
          ),
        },
        {
          id: 'customer',
          header: 'Customer',
          priority: 2,
          cell: ({ customer_id: id }) =>
            id === null ? (
              <span className="text-muted">Deleted</span>
            ) : (
              <DataText mono truncate>
                {id}
              </DataText>
            ),
        },
        { id: 'store', header: 'Store', width: '7rem', priority: 3, cell: ({ store }) => appStores[store] },
        {
          id: 'kind',
          header: 'Kind',
          width: '7rem',
          priority: 3,
          cell: ({ kind }) => (kind === null ? '—' : tokenKinds[kind]),
        },
        {
          id: 'purchases',
          header: 'Purchases',
          width: '6rem',
          align: 'end',
          priority: 3,
          cell: ({ bindings }) => <Num value={bindings.length} />,
        },
        {
          id: 'state',
          header: 'State',
          width: '10rem',
          priority: 1,
          cell: ({ state }) => (
            <Badge tone={tokenStates[state]?.tone}>{tokenStates[state]?.label ?? state}</Badge>
          ),
        },
        {
          id: 'at',
          header: 'Received',
          width: '9rem',
          priority: 2,
          cell: (token) => <Time ms={token.created_at} />,
        },
      ]}
    />
  );
}
