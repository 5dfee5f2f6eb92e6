import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { TextAreaField, TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { useBlock } from './blocked.queries.js';
import { text } from './blocked.text.js';

export function BlockDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const block = useBlock(projectId);
  const toast = useToast();
  const fields = useFields({
    initial: { app_user_id: '', note: '' },
    check: ({ app_user_id: id }) => ({ app_user_id: id === '' ? text.idMissing : null }),
    error: block.error,
    busy: block.isPending,
    onSubmit: ({ app_user_id: id, note }) =>
      block.mutate(
        { app_user_id: id, note: note === '' ? null : note },
        {
          onSuccess: () => {
            toast({ title: text.blocked(visibleText(id)) });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title={text.block}
      effect={text.blockEffect}
      fields={fields}
      submit={text.block}
      busy={block.isPending}
      error={block.error}
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/blocked_customers',
        path: { project_id: projectId },
        body: fields.values,
      }}
      onClose={onClose}
    >
      <TextField label={text.id} mono autoComplete="off" {...fields.field('app_user_id')} />
      <TextAreaField label={text.reason} optional hint={text.reasonHint} rows={3} {...fields.field('note')} />
    </FormDialog>
  );
}
