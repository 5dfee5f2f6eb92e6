import { useCustomer } from '../customer-context.js';
import type { Subscription } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-product-name.js';
import { ActionDialog } from './action-dialog.js';
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
    <ActionDialog
      danger
      title={`Cancel ${product}`}
      effect="The store stops renewing it. Access lasts until the end of the paid period, and nothing is paid back."
      submit="Cancel subscription"
      busy={cancel.isPending}
      error={cancel.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/subscriptions/{subscription_id}/actions/cancel',
        path: { project_id: projectId, subscription_id: subscription.id },
      }}
      onClose={onClose}
      onSubmit={() =>
        cancel.mutate(undefined, {
          onSuccess: () => {
            onClose();
            done({ title: `Cancelled ${product}`, target: subscription.id });
          },
        })
      }
    />
  );
}
