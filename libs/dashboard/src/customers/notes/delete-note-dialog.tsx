import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { useCustomer } from '../customer-context.js';
import { type Note, useNoteWrites } from './notes.queries.js';

export function DeleteNoteDialog({ note, onClose }: { note: Note; onClose: () => void }) {
  const { projectId, id } = useCustomer();
  return (
    <ConfirmCall
      danger
      title="Delete this note?"
      effect="This cannot be undone."
      confirmLabel="Delete"
      write={useNoteWrites(projectId, id).remove}
      input={note.id}
      done="Note deleted"
      call={{
        operation: 'DELETE /v2/projects/{project_id}/customers/{customer_id}/notes/{note_id}',
        path: { project_id: projectId, customer_id: id, note_id: note.id },
      }}
      onClose={onClose}
    />
  );
}
