import { useState } from 'react';
import { TextField } from '../../ui/forms/text-field.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { useCustomerWrites } from './customer-writes.js';

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
  const [customer, setCustomer] = useState(customerId ?? '');
  const [order, setOrder] = useState(orderId);
  const { restore } = useCustomerWrites(projectId, customer);
  const body = { order_id: order.trim() };
  return (
    <ActionDialog
      title="Restore a purchase by order id"
      effect="Asks the store for the order and gives the purchase to the customer, as if they had restored it in the app. The transfer behavior of the project decides who owns it."
      submit="Restore"
      busy={restore.isPending}
      error={restore.error}
      fields={customerId === undefined ? ['order_id', 'customer_id'] : ['order_id']}
      isDirty={order !== orderId}
      call={{
        operation:
          'POST /v2/projects/{project_id}/customers/{customer_id}/actions/restore_purchase_by_order_id',
        path: { project_id: projectId, customer_id: customer },
        body,
      }}
      onClose={onClose}
      onSubmit={() =>
        restore.mutate(body, {
          onSuccess: () => {
            onClose();
            onDone(customer);
          },
        })
      }
    >
      {customerId === undefined && (
        <TextField
          label="App user id of the customer"
          value={customer}
          mono
          required
          maxLength={100}
          autoComplete="off"
          error={fieldError(restore.error, 'customer_id')}
          onChange={({ target }) => setCustomer(target.value)}
        />
      )}
      <TextField
        label="Order or transaction id"
        hint="As in the receipt of the store, such as GPA.3312-4512-1100-55923 or MK4N2X9ABC."
        value={order}
        mono
        required
        autoComplete="off"
        error={fieldError(restore.error, 'order_id')}
        onChange={({ target }) => setOrder(target.value)}
      />
    </ActionDialog>
  );
}
