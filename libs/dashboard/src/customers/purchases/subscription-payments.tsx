import { useInfiniteQuery } from '@tanstack/react-query';
import type { Column } from '../../ui/lists/data-list.js';
import { CopyId } from '../../ui/text/copy-id.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { useDisplayCurrency } from '../../frame/display-currency.js';
import { Spent } from '../spent.js';
import { useCustomer } from '../customer-context.js';
import { paymentsQuery, type Payment, type Subscription } from './purchases.queries.js';

const columns: Column<Payment>[] = [
  { id: 'id', header: 'Transaction id', cell: ({ id }) => <CopyId id={id} /> },
  {
    id: 'paid',
    header: 'Paid',
    width: '11rem',
    cell: (payment) => <Time ms={payment.purchased_at} show="full" />,
  },
  {
    id: 'until',
    header: 'Until',
    width: '11rem',
    cell: (payment) => <Time ms={payment.effective_expiration_date ?? payment.expiration_date} show="full" />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    width: '11rem',
    cell: ({ amount_in_currency: amount, revenue_in_local_currency: local }) =>
      amount && (
        <Spent spent={amount} original={local && { amount: local.gross, currency: local.currency }} />
      ),
  },
];

/** The payments of a subscription, newest first. */
export function SubscriptionPayments({ subscription }: { subscription: Subscription }) {
  const { projectId, id } = useCustomer();
  const options = paymentsQuery(projectId, id, subscription.id, useDisplayCurrency());
  const query = useInfiniteQuery(options);
  return (
    <div className="rounded-md border border-line">
      <QueryList
        label="Payments"
        query={query}
        queryKey={options.queryKey}
        things="payments"
        columns={columns}
        rowKey={({ id: transactionId }) => transactionId}
        empty={{ sentence: 'No payments recorded.' }}
      />
    </div>
  );
}
