import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { itemsOf } from '../../api/paging.js';
import type { Page } from '../../api/types.js';
import { Badge } from '../../ui/badge.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatMoney } from '../../ui/format/format-money.js';
import { Money } from '../../ui/format/money.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { Tone } from '../../ui/tone.js';
import { customersQuery, type ListedCustomer, type Summary } from '../customers.queries.js';
import { missingTexts } from '../spent.js';
import { type ApiFilters, type CustomerStatus, statusLabels } from './customer-filters.js';
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

/** The names of a customer that people know, before the id. */
function CustomerName({ customer }: { customer: ListedCustomer }) {
  const { id, email, display_name: displayName } = customer;
  const name = displayName ?? email;
  if (name === null) return <DataText truncate>{id}</DataText>;
  return (
    <span className="block min-w-0">
      <span className="block truncate font-medium">{visibleText(name)}</span>
      <span className="block truncate text-xs text-muted">
        {visibleText(displayName !== null && email !== null ? `${email} · ${id}` : id)}
      </span>
    </span>
  );
}

const tones: Partial<Record<CustomerStatus, Tone>> = {
  billing_issue: 'bad',
  in_grace_period: 'warn',
  trial: 'accent',
  refunded: 'warn',
  active: 'good',
};

/** The status that says most: a problem comes before the access. */
const telling: readonly CustomerStatus[] = [
  'billing_issue',
  'in_grace_period',
  'refunded',
  'trial',
  'active',
  'expired',
];

function StatusCell({ statuses }: Pick<ListedCustomer, 'statuses'>) {
  const status = telling.find((one) => statuses.includes(one));
  if (status === undefined) return <span className="text-muted">—</span>;
  return <Badge tone={tones[status] ?? 'neutral'}>{statusLabels[status]}</Badge>;
}

interface SpentCellProps {
  customer: ListedCustomer;
  summary: Summary | undefined;
  isSandbox: boolean;
}

/** The amount in the display currency; empty until the summary is loaded. */
function SpentCell({ customer, summary, isSandbox }: SpentCellProps) {
  const { locale } = useFormat();
  if (!summary) return null;
  const { amount, currency, missing } = isSandbox ? summary.sandbox_spent : summary.spent;
  const usd = currency === 'USD' ? undefined : formatMoney(locale, customer.spent_in_usd, 'USD');
  return (
    <span data-tip={missing ? missingTexts[missing] : usd}>
      <Money amount={amount} currency={currency} />
    </span>
  );
}

interface CustomerListProps {
  projectId: string;
  filters: ApiFilters;
  filtered: boolean;
  onClearFilters: () => void;
  query: UseInfiniteQueryResult<{ pages: Page<ListedCustomer>[] }>;
  /** The button that creates the first customer. */
  create: ReactNode;
}

export function CustomerList({
  projectId,
  filters,
  filtered,
  onClearFilters,
  query,
  create,
}: CustomerListProps) {
  const router = useRouter();
  const ids = useMemo(() => itemsOf(query.data).map(({ id }) => id), [query.data]);
  const summaries = useSummaries(projectId, ids);
  const columns = useMemo(
    (): Column<ListedCustomer>[] => [
      {
        id: 'id',
        header: 'Customer',
        width: 'minmax(0, 2fr)',
        cell: (customer) => <CustomerName customer={customer} />,
      },
      {
        id: 'status',
        header: 'Status',
        width: '8.5rem',
        cell: ({ statuses }) => <StatusCell statuses={statuses} />,
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
        cell: (customer) => (
          <SpentCell
            customer={customer}
            summary={summaries.get(customer.id)}
            isSandbox={filters.environment === 'sandbox'}
          />
        ),
      },
      {
        id: 'country',
        header: 'Country',
        width: '5rem',
        cell: ({ country, country_source: source }) => (
          <>
            <DataText>{country}</DataText>
            {source === 'purchase' && <span className="block text-xs text-muted">purchase</span>}
          </>
        ),
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
    [summaries, filters.environment],
  );
  return (
    <QueryList
      label="Customers"
      query={query}
      queryKey={customersQuery(projectId, filters).queryKey}
      filtered={filtered}
      onClearFilters={onClearFilters}
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
