import { useState } from 'react';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { ActionDialog, fieldError } from './action-dialog.js';
import { text } from './actions.text.js';
import { useBlockWrites } from './block-writes.js';

const words = text.block;

/** Blocks all access until it is undone. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { block, unblock } = useBlockWrites(projectId);
  const [note, setNote] = useState('');
  const body = { app_user_id: id, ...(note === '' ? {} : { note }) };
  return (
    <ActionDialog
      danger
      title={words.title}
      effect={words.effect}
      submit={words.submit}
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
            done({ title: words.done, undo: () => unblock.mutateAsync(id), target: id });
          },
        })
      }
    >
      <TextAreaField
        optional
        label={words.note}
        value={note}
        rows={3}
        error={fieldError(block.error, 'note')}
        onChange={({ target }) => setNote(target.value)}
      />
    </ActionDialog>
  );
}
