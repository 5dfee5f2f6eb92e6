import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { DayField } from '../../ui/forms/day-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useCreateNote } from './notes.queries.js';

interface NoteDialogProps {
  projectId: string;
  /** The day that the form starts with. */
  day: string;
  onClose: () => void;
}

export function NoteDialog({ projectId, day, onClose }: NoteDialogProps) {
  const create = useCreateNote(projectId);
  const form = useForm({
    initial: { date: day, text: '' },
    check: ({ date, text }) => ({
      date: date === '' ? 'Enter a day.' : null,
      text: text === '' ? 'Enter a note.' : null,
    }),
    write: create,
    onSubmit: (values) => create.mutate(values, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Add a note"
      effect="Everyone in the project sees the note on every chart."
      form={form}
      submit="Add"
      size="sm"
      call={{
        operation: 'POST /v2/projects/{project_id}/chart_notes',
        path: { project_id: projectId },
        body: form.values,
      }}
      onClose={onClose}
    >
      <DayField label="Day" {...form.control('date')} />
      <TextField
        label="Note"
        maxLength={200}
        hint="Such as a release or a new price."
        {...form.field('text')}
      />
    </FormDialog>
  );
}
