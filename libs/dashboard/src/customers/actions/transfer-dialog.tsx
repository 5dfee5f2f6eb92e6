import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { useCustomerWrites } from './customer-writes.js';
import { CustomerSide } from './customer-side.js';

/** Transfers the customer's purchases to another customer, showing both. */
export function TransferDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { transfer } = useCustomerWrites(projectId, id);
  const [shown, setShown] = useState('');
  const form = useForm({
    initial: { target_customer_id: '' },
    check: ({ target_customer_id: target }) => ({
      target_customer_id: target === '' ? 'Enter an app user id.' : null,
    }),
    write: transfer,
    onSubmit: () =>
      transfer.mutate(body, {
        onSuccess: () => {
          onClose();
          done({ title: `Transferred to ${body.target_customer_id}` });
        },
      }),
  });
  const body = form.values;
  return (
    <FormDialog
      danger
      title="Transfer purchases to another customer"
      effect="All purchases and grants move at once; this customer loses the access they grant. Ids, attributes and balances stay. If either person restores purchases later, they may move again, because the account at the store stays the same."
      submit="Transfer"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/customers/{customer_id}/actions/transfer',
        path: { project_id: projectId, customer_id: id },
        body,
      }}
      onClose={onClose}
    >
      <TextField
        label="Transfer to (app user id)"
        hint="Created if it does not exist yet."
        mono
        required
        maxLength={100}
        autoComplete="off"
        {...form.field('target_customer_id')}
        onBlur={() => setShown(body.target_customer_id)}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <CustomerSide projectId={projectId} id={id} label="From" />
        <CustomerSide projectId={projectId} id={shown} label="To" />
      </div>
    </FormDialog>
  );
}
