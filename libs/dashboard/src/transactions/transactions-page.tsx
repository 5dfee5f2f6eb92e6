import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { docsOf } from '../api/docs-link.js';
import { storeName, transactionKinds } from '../api/words.js';
import { AppName } from '../frame/names/app-name.js';
import { SoldProduct } from '../frame/names/product-name.js';
import { useEnvironment } from '../frame/environment.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { CsvButton } from '../ui/csv-button.js';
import { DataText } from '../ui/text/data-text.js';
import { Money } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Time } from '../ui/format/time.js';
import { CustomerFilter } from './customer-filter.js';
import { exportTransactions } from './transactions-csv.js';
import { transactionsQuery } from './transactions.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/transactions');

/** All payments and refunds, newest first. */
export default function TransactionsPage() {
  const { projectId } = route.useParams();
  const { customer } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { customer, environment: useEnvironment().filter };
  const query = transactionsQuery(projectId, filter);
  const list = useInfiniteQuery(query);
  return (
    <Page title="Transactions" actions={<CsvButton onClick={() => exportTransactions(projectId, filter)} />}>
      <Panel padded={false}>
        <CustomerFilter
          key={customer}
          value={customer ?? ''}
          onChange={(id) => void navigate({ search: { customer: id || undefined }, replace: true })}
        />
        <QueryList
          label="Transactions"
          query={list}
          queryKey={query.queryKey}
          things="transactions"
          filtered={customer !== undefined}
          onClearFilters={() => void navigate({ search: {} })}
          empty={{
            sentence: 'Every payment and refund is listed here, as the stores report them.',
            docs: docsOf('Transactions'),
          }}
          rowKey={({ id }) => id}
          rowHref={({ customer_id: id }) =>
            id === null ? undefined : `/projects/${projectId}/customer?id=${encodeURIComponent(id)}`
          }
          columns={[
            {
              id: 'product',
              header: 'Product',
              cell: ({ product_identifier: id, app_id: appId }) => (
                <SoldProduct projectId={projectId} identifier={id} appId={appId} />
              ),
              width: 'minmax(0, 1.6fr)',
              priority: 1,
            },
            {
              id: 'kind',
              header: 'Kind',
              cell: ({ kind, environment }) => (
                <span className="flex min-w-0 items-center gap-2">
                  <span className="truncate">{transactionKinds[kind]}</span>
                  {filter.environment === undefined && environment === 'sandbox' && (
                    <Badge tone="warn">Sandbox</Badge>
                  )}
                </span>
              ),
              width: 'minmax(0, 1.3fr)',
              priority: 2,
            },
            {
              id: 'customer',
              header: 'Customer',
              cell: ({ customer_id: id }) =>
                id === null ? (
                  <span className="text-muted">Deleted</span>
                ) : (
                  <DataText mono truncate>
                    {id}
                  </DataText>
                ),
              priority: 2,
            },
            {
              id: 'app',
              header: 'App',
              cell: ({ app_id: appId, store }) =>
                appId === null ? storeName(store) : <AppName projectId={projectId} appId={appId} />,
              width: 'minmax(0, 1.3fr)',
              priority: 3,
            },
            {
              id: 'price',
              header: 'Price',
              cell: ({ price }) =>
                price === null ? '—' : <Money amount={price.amount} currency={price.currency} />,
              align: 'end',
              width: '7rem',
              priority: 3,
            },
            {
              id: 'revenue',
              header: 'Revenue in USD',
              cell: ({ revenue_in_usd: { gross, currency }, price }) => (
                <span
                  data-tip={
                    price && price.currency !== currency ? `Converted from ${price.currency}` : undefined
                  }
                >
                  <Money amount={gross} currency={currency} />
                </span>
              ),
              align: 'end',
              width: '7rem',
              priority: 1,
            },
            {
              id: 'time',
              header: 'Time',
              cell: ({ purchased_at: ms }) => <Time ms={ms} />,
              width: '7.5rem',
              priority: 2,
            },
          ]}
        />
      </Panel>
    </Page>
  );
}
