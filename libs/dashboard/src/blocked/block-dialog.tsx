import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { TextAreaField, TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { useBlock } from './blocked.queries.js';

export function BlockDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const block = useBlock(projectId);
  const toast = useToast();
  const form = useForm({
    initial: { app_user_id: '', note: '' },
    check: ({ app_user_id: id }) => ({ app_user_id: id === '' ? 'Enter an app user id.' : null }),
    write: block,
    onSubmit: ({ app_user_id: id, note }) =>
      block.mutate(
        { app_user_id: id, note: note === '' ? null : note },
        {
          onSuccess: () => {
            toast({ title: `Blocked ${visibleText(id)}` });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title="Block a customer"
      effect="The customer loses every entitlement at once, under all of their ids, and gets none while blocked. Purchases are still recorded and stores keep charging. Unblocking undoes it."
      form={form}
      submit="Block a customer"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/blocked_customers',
        path: { project_id: projectId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField label="App user id" mono autoComplete="off" {...form.field('app_user_id')} />
      <TextAreaField label="Note" optional hint="Why, for your team." rows={3} {...form.field('note')} />
    </FormDialog>
  );
}
