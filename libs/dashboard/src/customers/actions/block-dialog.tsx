import { useState } from 'react';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { useBlockWrites } from './block-writes.js';

/** Blocks all access until it is undone. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { block, unblock } = useBlockWrites(projectId);
  const [note, setNote] = useState('');
  const body = { app_user_id: id, ...(note === '' ? {} : { note }) };
  return (
    <ActionDialog
      danger
      title="Block this customer"
      effect="The customer loses every entitlement at once, under all of their ids, and gets none while the block lasts. Purchases go on being recorded, and stores go on charging."
      submit="Block customer"
      busy={block.isPending}
      error={block.error}
      fields={['note']}
      isDirty={note !== ''}
      call={{
        operation: 'POST /v2/projects/{project_id}/blocked_customers',
        path: { project_id: projectId },
        body,
      }}
      onClose={onClose}
      onSubmit={() =>
        block.mutate(body, {
          onSuccess: () => {
            onClose();
            done({ title: 'Customer blocked', undo: () => unblock.mutateAsync(id), target: id });
          },
        })
      }
    >
      <TextAreaField
        optional
        label="Note for the team"
        value={note}
        rows={3}
        error={fieldError(block.error, 'note')}
        onChange={({ target }) => setNote(target.value)}
      />
    </ActionDialog>
  );
}
