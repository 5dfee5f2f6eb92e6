import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { docsOf } from '../api/docs-link.js';
import { storeName } from '../api/words.js';
import { useEnvironment } from '../frame/environment.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { DataText } from '../ui/text/data-text.js';
import { Money } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Time } from '../ui/format/time.js';
import { CustomerFilter } from './customer-filter.js';
import { exportTransactions } from './transactions-csv.js';
import { transactionsQuery } from './transactions.queries.js';
import { text } from './transactions.text.js';

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
    <Page
      title={text.title}
      actions={
        <Button icon="download" onClick={() => exportTransactions(projectId, filter)}>
          {text.csv}
        </Button>
      }
    >
      <Panel padded={false}>
        <CustomerFilter
          key={customer}
          value={customer ?? ''}
          onChange={(id) => void navigate({ search: { customer: id || undefined }, replace: true })}
        />
        <QueryList
          label={text.title}
          query={list}
          queryKey={query.queryKey}
          things={text.things}
          filtered={customer !== undefined}
          onClearFilters={() => void navigate({ search: {} })}
          empty={{ sentence: text.empty, docs: docsOf('Transactions') }}
          rowKey={({ id }) => id}
          rowHref={({ customer_id: id }) =>
            id === null ? undefined : `/projects/${projectId}/customer?id=${encodeURIComponent(id)}`
          }
          columns={[
            {
              id: 'product',
              header: text.columns.product,
              cell: ({ product_identifier: id }) => <DataText truncate>{id}</DataText>,
              priority: 1,
            },
            {
              id: 'kind',
              header: text.columns.kind,
              cell: ({ kind, environment }) => (
                <span className="flex min-w-0 items-center gap-2">
                  <span className="truncate">{text.kinds[kind]}</span>
                  {filter.environment === undefined && environment === 'sandbox' && (
                    <Badge tone="warn">{text.sandbox}</Badge>
                  )}
                </span>
              ),
              width: 'minmax(0, 1.3fr)',
              priority: 2,
            },
            {
              id: 'customer',
              header: text.columns.customer,
              cell: ({ customer_id: id }) =>
                id === null ? (
                  <span className="text-muted">{text.deleted}</span>
                ) : (
                  <DataText mono truncate>
                    {id}
                  </DataText>
                ),
              priority: 2,
            },
            {
              id: 'store',
              header: text.columns.store,
              cell: ({ store }) => <DataText truncate>{storeName(store)}</DataText>,
              width: '7rem',
              priority: 3,
            },
            {
              id: 'price',
              header: text.columns.price,
              cell: ({ price }) =>
                price === null ? '—' : <Money amount={price.amount} currency={price.currency} />,
              align: 'end',
              width: '7rem',
              priority: 3,
            },
            {
              id: 'revenue',
              header: text.columns.revenue,
              cell: ({ revenue_in_usd: { gross, currency }, price }) => (
                <span
                  data-tip={price && price.currency !== currency ? text.converted(price.currency) : undefined}
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
              header: text.columns.time,
              cell: ({ purchased_at: ms }) => <Time ms={ms} />,
              width: '8.5rem',
              priority: 2,
            },
          ]}
        />
      </Panel>
    </Page>
  );
}
