import type { Schema } from '../../api/types.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { DayField } from '../../ui/forms/day-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { type ChartNote, useCreateNote, useUpdateNote } from './notes.queries.js';

interface NewNoteProps {
  projectId: string;
  /** The day that the form starts with. */
  day: string;
  onClose: () => void;
}

export function NewNoteDialog({ projectId, day, onClose }: NewNoteProps) {
  return (
    <NoteDialog
      title="Add a note"
      effect="Everyone in the project sees the note on every chart."
      submit="Add"
      initial={{ date: day, text: '' }}
      write={useCreateNote(projectId)}
      call={{ operation: 'POST /v2/projects/{project_id}/chart_notes', path: { project_id: projectId } }}
      onClose={onClose}
    />
  );
}

interface EditNoteProps {
  projectId: string;
  note: ChartNote;
  onClose: () => void;
}

export function EditNoteDialog({ projectId, note: { id, date, text }, onClose }: EditNoteProps) {
  return (
    <NoteDialog
      title="Edit the note"
      submit="Save"
      initial={{ date, text }}
      write={useUpdateNote(projectId, id)}
      call={{
        operation: 'POST /v2/projects/{project_id}/chart_notes/{chart_note_id}',
        path: { project_id: projectId, chart_note_id: id },
      }}
      onClose={onClose}
    />
  );
}

type NoteValues = Schema<'CreateChartNoteDto'>;

interface NoteDialogProps {
  title: string;
  effect?: string;
  submit: string;
  initial: NoteValues;
  write: ReturnType<typeof useCreateNote>;
  call: { operation: string; path: Record<string, string> };
  onClose: () => void;
}

function NoteDialog({ title, effect, submit, initial, write, call, onClose }: NoteDialogProps) {
  const form = useForm({
    initial,
    check: ({ date, text }) => ({
      date: date === '' ? 'Enter a day.' : null,
      text: text === '' ? 'Enter a note.' : null,
    }),
    write,
    onSubmit: (values) => write.mutate(values, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title={title}
      effect={effect}
      form={form}
      submit={submit}
      size="sm"
      call={{ ...call, body: form.values }}
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
