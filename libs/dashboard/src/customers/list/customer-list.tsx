import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import type { Page } from '../../api/types.js';
import { useEnvironment } from '../../frame/environment.js';
import type { Environment } from '../../frame/environments.js';
import { Badge } from '../../ui/badge.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Money } from '../../ui/format/money.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { customersQuery, type ListedCustomer, type Summary } from '../customers.queries.js';
import { useSummaries } from './use-summaries.js';

function AccessCell({ summary }: { summary: Summary | undefined }) {
  if (!summary) return <span className="text-muted">—</span>;
  if (summary.blocked)
    return (
      <Badge tone="bad" icon="ban">
        Blocked
      </Badge>
    );
  const held = summary.active_entitlements.map(({ lookup_key: key }) => key).join(', ');
  return held === '' ? <span className="text-muted">None</span> : <DataText truncate>{held}</DataText>;
}

/** Sandbox amounts are never added to production amounts. */
const spentIn = (environment: Environment, summary: Summary | undefined) =>
  environment === 'sandbox' ? summary?.sandbox_revenue_in_usd : summary?.total_revenue_in_usd;

interface CustomerListProps {
  projectId: string;
  search: string | undefined;
  query: UseInfiniteQueryResult<{ pages: Page<ListedCustomer>[] }>;
  /** The button that creates the first customer. */
  create: ReactNode;
}

export function CustomerList({ projectId, search, query, create }: CustomerListProps) {
  const router = useRouter();
  const { environment } = useEnvironment();
  const ids = useMemo(() => itemsOf(query.data).map(({ id }) => id), [query.data]);
  const summaries = useSummaries(projectId, ids);
  const columns = useMemo(
    (): Column<ListedCustomer>[] => [
      {
        id: 'id',
        header: 'App user id',
        width: 'minmax(0, 2fr)',
        cell: ({ id }) => <DataText truncate>{id}</DataText>,
      },
      {
        id: 'access',
        header: 'Access',
        priority: 1,
        cell: ({ id }) => <AccessCell summary={summaries.get(id)} />,
      },
      {
        id: 'spent',
        header: 'Total spent',
        label: 'Total spent',
        align: 'end',
        width: '7rem',
        cell: ({ id }) => <Money amount={spentIn(environment, summaries.get(id))} currency="USD" />,
      },
      {
        id: 'country',
        header: 'Country',
        width: '5rem',
        cell: ({ last_seen_country: country }) => <DataText>{country}</DataText>,
      },
      {
        id: 'platform',
        header: 'Platform',
        width: '7rem',
        cell: ({ last_seen_platform: platform }) => <DataText truncate>{platform}</DataText>,
      },
      {
        id: 'seen',
        header: 'Last seen',
        width: '10rem',
        cell: ({ last_seen_at: at }) => <Time ms={at} />,
      },
    ],
    [summaries, environment],
  );
  return (
    <QueryList
      label="Customers"
      query={query}
      queryKey={customersQuery(projectId, search).queryKey}
      things="customers"
      columns={columns}
      rowKey={({ id }) => id}
      rowHref={({ id }) =>
        router.buildLocation({
          to: '/projects/$projectId/customer',
          params: { projectId },
          search: { id },
        }).href
      }
      empty={{
        sentence: 'A customer appears here when an app with an SDK starts, or when your backend creates one.',
        action: create,
        docs: docsOf('Customers'),
      }}
    />
  );
}
