import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useCustomer } from '../customer-context.js';
import { useBlockWrites } from './block-writes.js';

/** Blocks all access until it is undone. */
export function BlockDialog({ onClose }: { onClose: () => void }) {
  const { projectId, id, done } = useCustomer();
  const { block, unblock } = useBlockWrites(projectId);
  const form = useForm({
    initial: { note: '' },
    write: block,
    onSubmit: () =>
      block.mutate(body, {
        onSuccess: () => {
          onClose();
          done({ title: 'Customer blocked', undo: () => unblock.mutateAsync(id), target: id });
        },
      }),
  });
  const { note } = form.values;
  const body = { app_user_id: id, ...(note === '' ? {} : { note }) };
  return (
    <FormDialog
      danger
      title="Block this customer"
      effect="The customer loses every entitlement at once, under all of their ids, and gets none while blocked. Purchases are still recorded and stores keep charging."
      submit="Block customer"
      form={form}
      call={{
        operation: 'POST /v2/projects/{project_id}/blocked_customers',
        path: { project_id: projectId },
        body,
      }}
      onClose={onClose}
    >
      <TextAreaField optional label="Note for the team" rows={3} {...form.field('note')} />
    </FormDialog>
  );
}
