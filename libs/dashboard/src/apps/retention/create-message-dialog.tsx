import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextAreaField, TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { type RetentionPlace, useCreateMessage } from './retention.queries.js';

interface CreateMessageDialogProps {
  place: RetentionPlace;
  onClose: () => void;
}

/** Apple counts characters, not UTF-16 code units. */
const lengthProblem = (text: string, max: number) =>
  text.trim() === '' || [...text].length > max ? `Enter 1 to ${max} characters.` : null;

export function CreateMessageDialog({ place, onClose }: CreateMessageDialogProps) {
  const create = useCreateMessage(place);
  const toast = useToast();
  const { environment } = place;
  const form = useForm({
    initial: { header: '', body: '' },
    check: ({ header, body }) => ({ header: lengthProblem(header, 66), body: lengthProblem(body, 144) }),
    write: create,
    onSubmit: (text) =>
      create.mutate(
        { ...text, environment },
        {
          onSuccess: () => {
            toast({ title: 'Sent to Apple', tone: 'good' });
            onClose();
          },
        },
      ),
  });
  return (
    <FormDialog
      title="New message"
      description="Apple reviews each message and shows only approved ones."
      form={form}
      submit="Send to Apple"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps/{app_id}/retention_messages',
        path: { project_id: place.projectId, app_id: place.appId },
        body: { ...form.values, environment },
      }}
      onClose={onClose}
    >
      <TextField label="Header" hint="Up to 66 characters." autoComplete="off" {...form.field('header')} />
      <TextAreaField label="Body" hint="Up to 144 characters." {...form.field('body')} />
    </FormDialog>
  );
}
