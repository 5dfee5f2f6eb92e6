import { useState } from 'react';
import { TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { useCustomerWrites } from './customer-writes.js';
import { CustomerSide } from './customer-side.js';

/** Transfers the customer's purchases to another customer, showing both. */
export function TransferDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { transfer } = useCustomerWrites(projectId, id);
  const [target, setTarget] = useState('');
  const [shown, setShown] = useState('');
  const body = { target_customer_id: target };
  return (
    <ActionDialog
      danger
      title="Transfer purchases to another customer"
      effect="All purchases and grants move at once; this customer loses what they unlock. Ids, attributes and balances stay. If either person restores purchases later, they may move again, because the account at the store stays the same."
      submit="Transfer"
      busy={transfer.isPending}
      error={transfer.error}
      fields={['target_customer_id']}
      isDirty={target !== ''}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/actions/transfer',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
      onSubmit={() =>
        transfer.mutate(body, {
          onSuccess: () => {
            onClose();
            done({ title: `Transferred to ${target}` });
          },
        })
      }
    >
      <TextField
        label="App user id of the receiver"
        hint="Created if it does not exist yet."
        value={target}
        mono
        required
        maxLength={100}
        autoComplete="off"
        error={fieldError(transfer.error, 'target_customer_id')}
        onChange={(event) => setTarget(event.target.value)}
        onBlur={() => setShown(target)}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <CustomerSide projectId={projectId} id={id} label="From" />
        <CustomerSide projectId={projectId} id={shown} label="To" />
      </div>
    </ActionDialog>
  );
}
