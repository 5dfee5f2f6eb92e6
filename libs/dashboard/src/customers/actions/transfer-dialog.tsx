import { useState } from 'react';
import { TextField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { text } from './actions.text.js';
import { useCustomerWrites } from './customer-writes.js';
import { CustomerSide } from './customer-side.js';

const words = text.transfer;

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
      title={words.title}
      effect={words.effect}
      submit={words.submit}
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
            done({ title: words.done(target) });
          },
        })
      }
    >
      <TextField
        label={words.target}
        hint={words.targetHint}
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
        <CustomerSide projectId={projectId} id={id} label={words.from} />
        <CustomerSide projectId={projectId} id={shown} label={words.to} />
      </div>
    </ActionDialog>
  );
}
