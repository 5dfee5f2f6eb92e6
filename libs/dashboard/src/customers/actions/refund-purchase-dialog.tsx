import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Money } from '../../ui/format/money.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useCustomer } from '../customer-context.js';
import type { Purchase } from '../purchases/purchases.queries.js';
import { useProductName } from '../purchases/use-bought.js';
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
  const form = useForm({
    initial: {},
    write: refund,
    onSubmit: () =>
      refund.mutate(
        { of: 'purchase', purchaseId: purchase.id },
        {
          onSuccess: () => {
            onClose();
            done({ title: `Refunded ${product}`, target: purchase.id });
          },
        },
      ),
  });
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
    <FormDialog
      danger
      title={visibleText(`Refund ${product}`)}
      effect="The store refunds the customer, and the access that the purchase grants ends at once. This cannot be undone."
      submit="Refund"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/purchases/{purchase_id}/actions/refund',
        path: { project_id: projectId, purchase_id: purchase.id },
      }}
      onClose={onClose}
    >
      <p>
        Amount: <Money amount={purchase.revenue_in_usd.gross} currency={purchase.revenue_in_usd.currency} />
      </p>
    </FormDialog>
  );
}
