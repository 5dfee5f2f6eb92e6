import { useInfiniteQuery } from '@tanstack/react-query';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Money } from '../ui/format/money.js';
import { Time } from '../ui/format/time.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList } from '../ui/lists/query-list.js';
import { useToast } from '../ui/overlays/toast.js';
import { DataText } from '../ui/text/data-text.js';
import { appStores, reportEvents, reportStates } from './labels.js';
import { type ReportFilter, reportsQuery, type StoreReport, useSendAgain } from './store-reports.queries.js';

function SendAgainButton({ report, projectId }: { report: StoreReport; projectId: string }) {
  const sendAgain = useSendAgain(projectId);
  const may = useMay('sendExternalPurchaseReportAgain');
  const toast = useToast();
  return (
    <Button
      size="sm"
      aria-label={`Send again: ${report.id}`}
      busy={sendAgain.isPending}
      disabledReason={may.reason}
      onClick={() =>
        sendAgain.mutate(report.id, {
          onSuccess: () => toast({ title: 'The report will be sent again' }),
          onError: ({ message }) =>
            toast({ tone: 'bad', title: 'The report was not queued', description: message }),
        })
      }
    >
      Send again
    </Button>
  );
}

/** Refunds are negative. Null if an amount is unknown, and for reports about a token or a refund that did not happen. */
function amountOf({ event, lines }: StoreReport): { amount: number; currency: string } | null {
  const [first] = lines;
  if (!first || first.currency === null || event === 'refund_reversal') return null;
  let amount = 0;
  for (const line of lines) {
    if (line.amount === null) return null;
    amount += line.event === 'refund' ? -line.amount : line.amount;
  }
  return { amount, currency: first.currency };
}

const columnsFor = (projectId: string): Column<StoreReport>[] => [
  {
    id: 'purchase',
    header: 'Purchase',
    priority: 1,
    cell: ({ store_purchase_identifier: purchase, token_id: token }) => (
      <DataText mono truncate>
        {purchase ?? token}
      </DataText>
    ),
  },
  { id: 'event', header: 'Event', width: '8rem', priority: 2, cell: ({ event }) => reportEvents[event] },
  { id: 'store', header: 'Store', width: '5.5rem', priority: 3, cell: ({ store }) => appStores[store] },
  {
    id: 'amount',
    header: 'Amount',
    width: '5.5rem',
    align: 'end',
    priority: 2,
    cell: (report) => {
      const amount = amountOf(report);
      return amount === null ? '—' : <Money {...amount} />;
    },
  },
  {
    id: 'state',
    header: 'State',
    width: '8rem',
    priority: 1,
    cell: ({ state }) => <Badge tone={reportStates[state].tone}>{reportStates[state].label}</Badge>,
  },
  {
    id: 'reason',
    header: 'Reason',
    priority: 3,
    cell: ({ reason }) => (reason === null ? '—' : <DataText truncate>{reason}</DataText>),
  },
  {
    id: 'at',
    header: 'Created',
    width: '7rem',
    priority: 3,
    cell: (report) => <Time ms={report.created_at} />,
  },
  {
    id: 'again',
    header: <span className="sr-only">Send again</span>,
    width: '6.25rem',
    align: 'end',
    priority: 1,
    cell: (report) => report.state === 'refused' && <SendAgainButton report={report} projectId={projectId} />,
  },
];

interface ReportsListProps {
  projectId: string;
  filter: ReportFilter;
  onClearFilters: () => void;
}

export function ReportsList({ projectId, filter, onClearFilters }: ReportsListProps) {
  const query = reportsQuery(projectId, filter);
  const list = useInfiniteQuery(query);
  return (
    <QueryList
      label="Reports"
      things="reports"
      query={list}
      queryKey={query.queryKey}
      filtered={filter.state !== undefined || filter.month !== undefined}
      onClearFilters={onClearFilters}
      empty={{ sentence: 'No outside purchases yet.', docs: docsOf('Outside purchases') }}
      rowKey={({ id }) => id}
      columns={columnsFor(projectId)}
    />
  );
}
