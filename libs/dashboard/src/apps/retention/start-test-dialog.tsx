import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { type RetentionPlace, useStartTest } from './retention.queries.js';

interface StartTestDialogProps {
  place: Pick<RetentionPlace, 'projectId' | 'appId'>;
  onStarted: (testId: string) => void;
  onClose: () => void;
}

export function StartTestDialog({ place, onStarted, onClose }: StartTestDialogProps) {
  const start = useStartTest(place);
  const form = useForm({
    initial: { original_transaction_id: '' },
    check: ({ original_transaction_id: id }) => ({
      original_transaction_id: /^\d{1,30}$/.test(id) ? null : 'Enter an original transaction id.',
    }),
    write: start,
    onSubmit: (body) =>
      start.mutate(body, {
        onSuccess: ({ id }) => {
          onStarted(id);
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title="Run Apple's test"
      description="Apple sends many requests to the address that is registered in the sandbox and measures the answers."
      form={form}
      submit="Run test"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}/retention_messages/actions/test',
        path: { project_id: place.projectId, app_id: place.appId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextField
        label="Original transaction id"
        hint="Any sandbox subscription works."
        mono
        autoComplete="off"
        {...form.field('original_transaction_id')}
      />
    </FormDialog>
  );
}
