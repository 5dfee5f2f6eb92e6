import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useMay } from '../api/permissions.js';
import type { Schema } from '../api/types.js';
import { storeName, transactionKinds } from '../api/words.js';
import { buttonClass } from '../ui/button.js';
import { type Column, DataList } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatNumber } from '../ui/format/format-number.js';
import { Money } from '../ui/format/money.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';
import { Time } from '../ui/format/time.js';
import { feedQuery, type FigureEnvironment, figuresQuery } from './overview.queries.js';

type Transaction = Schema<'TransactionDto'>;

// Names come after the figures, which the first load should not delay.
const AppName = lazy(() =>
  import('../frame/names/app-name.js').then((module) => ({ default: module.AppName })),
);
const SoldProduct = lazy(() =>
  import('../frame/names/product-name.js').then((module) => ({ default: module.SoldProduct })),
);

const columnsOf = (projectId: string): Column<Transaction>[] => [
  {
    id: 'product',
    header: 'Product',
    cell: ({ product_identifier: id, app_id: appId }) => (
      <Suspense
        fallback={
          <DataText mono truncate>
            {id}
          </DataText>
        }
      >
        <SoldProduct projectId={projectId} identifier={id} appId={appId} />
      </Suspense>
    ),
    width: 'minmax(0, 1.6fr)',
    priority: 1,
  },
  {
    id: 'kind',
    header: 'Kind',
    cell: ({ kind }) => transactionKinds[kind] ?? kind,
    width: '10rem',
    priority: 2,
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer_id: customer }) =>
      customer === null ? (
        <span className="text-muted">Customer deleted</span>
      ) : (
        <DataText mono truncate>
          {customer}
        </DataText>
      ),
    priority: 2,
  },
  {
    id: 'app',
    header: 'App',
    cell: ({ app_id: appId, store }) =>
      appId === null ? (
        storeName(store)
      ) : (
        <Suspense fallback={storeName(store)}>
          <AppName projectId={projectId} appId={appId} />
        </Suspense>
      ),
    priority: 3,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    width: '8rem',
    cell: ({ price }) => <Money amount={price?.amount} currency={price?.currency} />,
    priority: 1,
  },
  {
    id: 'time',
    header: 'Time',
    cell: ({ purchased_at: at }) => <Time ms={at} />,
    width: '12rem',
    priority: 2,
  },
];

interface TransactionFeedProps {
  projectId: string;
  environment: FigureEnvironment | undefined;
}

/** The newest payments and refunds, polled every 15 seconds. */
export function TransactionFeed({ projectId, environment }: TransactionFeedProps) {
  const { locale } = useFormat();
  const mayBuy = useMay('createTestPurchase').allowed;
  const options = feedQuery(projectId, environment);
  const feed = useQuery(options);
  const { data: figures } = useQuery(figuresQuery(projectId, environment ?? 'production'));
  const count = figures?.metrics.find(({ id }) => id === 'num_tx_last_28_days')?.value;
  return (
    <Panel
      title="Latest transactions"
      // A placeholder of the same height prevents a layout shift.
      description={count === undefined ? '\u00a0' : `${formatNumber(locale, count)} in the last 28 days`}
      padded={false}
      actions={
        <Link to="/projects/$projectId/transactions" params={{ projectId }}>
          All transactions
        </Link>
      }
    >
      <QueryPanel query={feed} queryKey={options.queryKey} skeleton={<SkeletonRows rows={5} />} stale>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              sentence="Purchases, renewals and refunds appear here as they happen."
              action={
                mayBuy && (
                  <Link
                    to="/projects/$projectId/test/purchases"
                    params={{ projectId }}
                    className={buttonClass()}
                  >
                    Make a test purchase
                  </Link>
                )
              }
            />
          ) : (
            <DataList
              label="Latest transactions"
              rows={rows}
              columns={columnsOf(projectId)}
              rowKey={({ id }) => id}
              rowHref={({ customer_id: customer }) =>
                customer === null
                  ? undefined
                  : `/projects/${projectId}/customer?id=${encodeURIComponent(customer)}`
              }
            />
          )
        }
      </QueryPanel>
    </Panel>
  );
}
