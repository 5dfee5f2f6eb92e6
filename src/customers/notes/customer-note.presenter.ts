import type { CustomerNoteDto } from './customer-note.dto.js';
import type { CustomerNote } from './customer-note.entity.js';

export function presentNote(note: CustomerNote): CustomerNoteDto {
  const { id, text, authorType: type, authorId, authorEmail: email, createdAt, editedAt } = note;
  return {
    object: 'customer_note',
    id,
    text,
    author: { type, id: authorId, email },
    created_at: createdAt.getTime(),
    edited_at: editedAt?.getTime() ?? null,
  };
}
