import { useInfiniteQuery } from '@tanstack/react-query';
import type { Column } from '../../ui/lists/data-list.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { Money } from '../../ui/format/money.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { useCustomer } from '../customer-context.js';
import { text } from '../customers.text.js';
import { paymentsQuery, type Payment, type Subscription } from './purchases.queries.js';

const words = text.subscriptions;

const columns: Column<Payment>[] = [
  { id: 'id', header: words.transactionId, cell: ({ id }) => <CopyId id={id} /> },
  {
    id: 'paid',
    header: words.paid,
    width: '11rem',
    cell: (payment) => <Time ms={payment.purchased_at} show="full" />,
  },
  {
    id: 'until',
    header: words.period2,
    width: '11rem',
    cell: (payment) => <Time ms={payment.effective_expiration_date ?? payment.expiration_date} show="full" />,
  },
  {
    id: 'amount',
    header: words.amount,
    align: 'end',
    width: '8rem',
    cell: ({ revenue_in_local_currency: local }) => (
      <Money amount={local?.gross} currency={local?.currency} />
    ),
  },
  {
    id: 'usd',
    header: words.usd,
    align: 'end',
    width: '6rem',
    priority: 3,
    cell: ({ revenue_in_usd: usd }) => <Money amount={usd.gross} currency={usd.currency} />,
  },
];

/** The payments of a subscription, newest first. */
export function SubscriptionPayments({ subscription }: { subscription: Subscription }) {
  const { projectId, id } = useCustomer();
  const options = paymentsQuery(projectId, id, subscription.id);
  const query = useInfiniteQuery(options);
  return (
    <div className="rounded-md border border-line">
      <QueryList
        label={words.payments}
        query={query}
        queryKey={options.queryKey}
        things="payments"
        columns={columns}
        rowKey={({ id: transactionId }) => transactionId}
        empty={{ sentence: words.noPayments }}
      />
    </div>
  );
}
