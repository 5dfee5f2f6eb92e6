import { Money } from '../../ui/format/money.js';
import { useCustomer } from '../customer-context.js';
import type { Purchase } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-product-name.js';
import { ActionDialog } from './action-dialog.js';
import { ElsewhereDialog } from './elsewhere-dialog.js';
import { useRefund } from './purchase-writes.js';
import { canDo } from './store-abilities.js';

interface RefundPurchaseDialogProps {
  purchase: Purchase;
  onClose: () => void;
}

/** Refunds a one-time purchase. */
export function RefundPurchaseDialog({ purchase, onClose }: RefundPurchaseDialogProps) {
  const { projectId, done } = useCustomer();
  const product = useProductName(purchase.id);
  const refund = useRefund(projectId);
  if (!canDo(purchase.store, 'refund'))
    return (
      <ElsewhereDialog
        title={`Refund ${product}`}
        store={purchase.store}
        managementUrl={null}
        onClose={onClose}
      />
    );
  return (
    <ActionDialog
      danger
      title={`Refund ${product}`}
      effect="The store pays the customer back, and what the purchase unlocks ends at once. This cannot be undone."
      submit="Refund"
      busy={refund.isPending}
      error={refund.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/purchases/{purchase_id}/actions/refund',
        path: { project_id: projectId, purchase_id: purchase.id },
      }}
      onClose={onClose}
      onSubmit={() =>
        refund.mutate(
          { of: 'purchase', purchaseId: purchase.id },
          {
            onSuccess: () => {
              onClose();
              done({ title: `Refunded ${product}`, target: purchase.id });
            },
          },
        )
      }
    >
      <p>
        Amount: <Money amount={purchase.revenue_in_usd.gross} currency={purchase.revenue_in_usd.currency} />
      </p>
    </ActionDialog>
  );
}
