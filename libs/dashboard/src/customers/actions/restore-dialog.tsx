import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useRestore } from './customer-writes.js';

interface RestoreDialogProps {
  projectId: string;
  /** If omitted, the form asks for it. */
  customerId?: string;
  orderId?: string;
  onClose: () => void;
  onDone: (customerId: string) => void;
}

/** Fetches a purchase from the store by the order id in the customer's receipt. */
export function RestoreDialog({ projectId, customerId, orderId = '', onClose, onDone }: RestoreDialogProps) {
  const restore = useRestore(projectId);
  const form = useForm({
    initial: { customer_id: customerId ?? '', order_id: orderId },
    check: ({ customer_id: customer, order_id: order }) => ({
      customer_id: customer === '' ? 'Enter an app user id.' : null,
      order_id: order.trim() === '' ? 'Enter an order id.' : null,
    }),
    write: restore,
    onSubmit: (values) =>
      restore.mutate(
        { ...values, order_id: values.order_id.trim() },
        {
          onSuccess: () => {
            onClose();
            onDone(values.customer_id);
          },
        },
      ),
  });
  return (
    <FormDialog
      title="Restore a purchase by order id"
      effect="Looks up the order at the store and assigns the purchase to the customer, as if they had restored it in the app. The transfer behavior of the project decides who owns it."
      submit="Restore"
      form={form}
      call={{
        operation:
          'POST /v2/projects/{project_id}/customers/{customer_id}/actions/restore_purchase_by_order_id',
        path: { project_id: projectId, customer_id: form.values.customer_id },
        body: { order_id: form.values.order_id.trim() },
      }}
      onClose={onClose}
    >
      {customerId === undefined && (
        <TextField
          label="App user id of the customer"
          mono
          required
          maxLength={100}
          autoComplete="off"
          {...form.field('customer_id')}
        />
      )}
      <TextField
        label="Order or transaction id"
        hint="As in the receipt of the store, such as GPA.3312-4512-1100-55923 or MK4N2X9ABC."
        mono
        required
        autoComplete="off"
        {...form.field('order_id')}
      />
    </FormDialog>
  );
}
