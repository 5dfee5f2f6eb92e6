import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import type { Subscription } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-bought.js';
import { ElsewhereDialog } from './elsewhere-dialog.js';
import { useSubscriptionWrites } from './purchase-writes.js';
import { canDo } from './store-abilities.js';

interface CancelDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

/** Asks the store to stop renewal. */
export function CancelDialog({ subscription, onClose }: CancelDialogProps) {
  const { projectId, done } = useCustomer();
  const product = useProductName(subscription.id);
  const { cancel } = useSubscriptionWrites(projectId, subscription.id);
  const form = useForm({
    initial: {},
    write: cancel,
    onSubmit: () =>
      cancel.mutate(undefined, {
        onSuccess: () => {
          onClose();
          done({ title: `Cancelled ${product}`, target: subscription.id });
        },
      }),
  });
  if (!canDo(subscription.store, 'cancel'))
    return (
      <ElsewhereDialog
        title={`Cancel ${product}`}
        store={subscription.store}
        managementUrl={subscription.management_url}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      danger
      title={visibleText(`Cancel ${product}`)}
      effect="The store stops renewing it. Access lasts until the end of the paid period, and nothing is refunded."
      submit="Cancel subscription"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/actions/cancel',
        path: { project_id: projectId, subscription_id: subscription.id },
      }}
      onClose={onClose}
    />
  );
}
