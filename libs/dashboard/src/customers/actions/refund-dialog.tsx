import { useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '../../api/paging.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { Money } from '../../ui/format/money.js';
import { QueryPanel } from '../../ui/loading/query-panel.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import { paymentsQuery, type Payment, type Subscription } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-bought.js';
import { ElsewhereDialog } from './elsewhere-dialog.js';
import { type Refund, useRefund } from './purchase-writes.js';
import { canDo } from './store-abilities.js';

const LATEST = 'latest';

interface RefundDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

export function RefundDialog({ subscription, onClose }: RefundDialogProps) {
  const product = useProductName(subscription.id);
  if (canDo(subscription.store, 'refund')) return <RefundForm {...{ subscription, product, onClose }} />;
  return (
    <ElsewhereDialog
      title={`Refund ${product}`}
      store={subscription.store}
      managementUrl={subscription.management_url}
      onClose={onClose}
    />
  );
}

const callOf = (chosen: string) =>
  chosen === LATEST
    ? 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/actions/refund'
    : 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/transactions/{transaction_id}/actions/refund';

/** Refunds one payment, or the latest one together with the subscription. */
function RefundForm({ subscription, product, onClose }: RefundDialogProps & { product: string }) {
  const { projectId, id, done } = useCustomer();
  const refund = useRefund(projectId);
  const options = paymentsQuery(projectId, id, subscription.id);
  const query = useInfiniteQuery(options);
  const paid = ({ revenue_in_local_currency: local, purchased_at: at }: Payment) => (
    <>
      <Money amount={local?.gross} currency={local?.currency} />, <Time ms={at} show="full" />
    </>
  );
  const form = useForm({
    initial: { payment: LATEST },
    write: refund,
    onSubmit: () =>
      refund.mutate(body, {
        onSuccess: () => {
          onClose();
          done({ title: `Refunded ${product}`, target: subscription.id });
        },
      }),
  });
  const { payment: chosen } = form.values;
  const body: Refund =
    chosen === LATEST
      ? { of: 'subscription', subscriptionId: subscription.id }
      : { of: 'payment', subscriptionId: subscription.id, transactionId: chosen };
  return (
    <FormDialog
      danger
      title={visibleText(`Refund ${product}`)}
      effect="The store refunds the customer. This cannot be undone."
      submit="Refund"
      form={form}
      call={{
        operation: callOf(chosen),
        path: { project_id: projectId, subscription_id: subscription.id, transaction_id: chosen },
      }}
      onClose={onClose}
    >
      <QueryPanel query={query} queryKey={options.queryKey}>
        {(data) => {
          const payments = itemsOf(data);
          return (
            <RadioCards
              label="Which payment"
              {...form.control('payment')}
              options={[
                {
                  value: LATEST,
                  label: 'The latest payment, and end the subscription',
                  hint: (
                    <>
                      {payments[0] && <>{paid(payments[0])}. </>}
                      Access ends at once, and the store does not renew it.
                    </>
                  ),
                },
                ...payments.map((payment) => ({
                  value: payment.id,
                  label: visibleText(`Payment ${payment.id}`),
                  hint: (
                    <>
                      {paid(payment)}. {'Only this payment. Access stays.'}
                    </>
                  ),
                })),
              ]}
            />
          );
        }}
      </QueryPanel>
    </FormDialog>
  );
}
