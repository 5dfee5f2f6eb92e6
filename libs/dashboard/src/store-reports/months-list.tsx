import { useQuery } from '@tanstack/react-query';
import { docsOf } from '../api/docs-link.js';
import { Money } from '../ui/format/money.js';
import { type Column, DataList } from '../ui/lists/data-list.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';
import { appStores } from './labels.js';
import { monthsQuery, type ReportedMonth } from './store-reports.queries.js';

const columns: readonly Column<ReportedMonth>[] = [
  { id: 'month', header: 'Month', width: '8rem', priority: 1, cell: ({ month }) => month },
  { id: 'store', header: 'Store', priority: 2, cell: ({ store }) => appStores[store] },
  {
    id: 'reported',
    header: 'Reported',
    width: '10rem',
    align: 'end',
    priority: 2,
    label: 'Reported',
    cell: ({ reported, currency }) => <Money amount={reported} currency={currency} />,
  },
  {
    id: 'ledger',
    header: 'In the ledger',
    width: '10rem',
    align: 'end',
    priority: 2,
    label: 'In the ledger',
    cell: ({ in_ledger: amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'difference',
    header: 'Difference',
    width: '10rem',
    align: 'end',
    priority: 1,
    cell: ({ difference, currency }) => (
      <span className={difference === 0 ? undefined : 'font-medium text-warn'}>
        <Money amount={difference} currency={currency} />
      </span>
    ),
  },
];

/** Amounts that stores have accepted in each month, next to the ledger. */
export function MonthsList({ projectId }: { projectId: string }) {
  const query = monthsQuery(projectId);
  const months = useQuery(query);
  return (
    <QueryPanel query={months} queryKey={query.queryKey} skeleton={<SkeletonRows />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState sentence="No outside purchases yet." docs={docsOf('Outside purchases')} />
        ) : (
          <DataList
            label="Months"
            rows={items}
            columns={columns}
            rowKey={({ month, store, currency }) => [month, store, currency].join()}
            rowHref={({ month }) => `/projects/${projectId}/store-reports?month=${month}`}
          />
        )
      }
    </QueryPanel>
  );
}
