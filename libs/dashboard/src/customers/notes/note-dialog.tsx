import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextAreaField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useCustomer } from '../customer-context.js';
import { type Note, useNoteWrites } from './notes.queries.js';

const MAX_LENGTH = 5_000;

interface NoteDialogProps {
  /** Null adds a new one. */
  note: Note | null;
  onClose: () => void;
}

export function NoteDialog({ note, onClose }: NoteDialogProps) {
  const { projectId, id } = useCustomer();
  const { create, update } = useNoteWrites(projectId, id);
  const toast = useToast();
  const form = useForm({
    initial: { text: note?.text ?? '' },
    check: ({ text }) => ({
      text:
        text.trim() === '' || text.length > MAX_LENGTH
          ? `Enter 1 to ${MAX_LENGTH.toLocaleString('en')} characters.`
          : null,
    }),
    write: note ? update : create,
    onSubmit: ({ text }) => {
      const done = {
        onSuccess: () => {
          toast({ title: note ? 'Note changed' : 'Note added', tone: 'good' });
          onClose();
        },
      };
      if (note) update.mutate({ noteId: note.id, text }, done);
      else create.mutate(text, done);
    },
  });
  return (
    <FormDialog
      title={note ? 'Edit note' : 'Add note'}
      description="For your team. Apps and customers never see it, but it is part of the customer’s export."
      form={form}
      submit="Save note"
      call={{
        operation: `POST /v2/projects/{project_id}/customers/{customer_id}/notes${note ? '/{note_id}' : ''}`,
        path: { project_id: projectId, customer_id: id, ...(note && { note_id: note.id }) },
        body: form.values,
      }}
      onClose={onClose}
    >
      <TextAreaField label="Note" rows={6} {...form.field('text')} />
    </FormDialog>
  );
}
