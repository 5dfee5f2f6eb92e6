import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Button, IconButton } from '../../ui/button.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDay } from '../../ui/format/format-time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type ChartNote, useDeleteNote } from './notes.queries.js';

const NewNoteDialog = lazy(() =>
  import('./note-dialog.js').then((module) => ({ default: module.NewNoteDialog })),
);
const EditNoteDialog = lazy(() =>
  import('./note-dialog.js').then((module) => ({ default: module.EditNoteDialog })),
);

interface NotesListProps {
  projectId: string;
  notes: readonly ChartNote[];
  /** Last day of the chart. */
  lastDay: string;
}

/** The notes that a drawing marks, as text, and buttons to change them and to add one. */
export function NotesList({ projectId, notes, lastDay }: NotesListProps) {
  const { locale } = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const [editing, setEditing] = useState<ChartNote | null>(null);
  const may = useMay('updateProject');
  const remove = useDeleteNote(projectId);
  return (
    <div className="mt-2 flex flex-wrap items-start gap-x-4 gap-y-1 border-t border-line pt-2">
      {notes.length > 0 && (
        <ul aria-label="Notes" className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
          {notes.map((note) => {
            const { id, date, text } = note;
            const name = `${formatDay(locale, date)}: ${visibleText(text)}`;
            return (
              <li key={id} className="flex items-center gap-2">
                <span className="shrink-0 text-muted tabular-nums">{formatDay(locale, date)}</span>
                <span className="min-w-0 [overflow-wrap:anywhere]">{visibleText(text)}</span>
                {may.allowed && (
                  <span className="flex shrink-0">
                    <IconButton
                      icon="edit"
                      size="sm"
                      label={`Edit the note of ${name}`}
                      onClick={() => setEditing(note)}
                    />
                    <IconButton
                      icon="x"
                      size="sm"
                      label={`Delete the note of ${name}`}
                      busy={remove.isPending && remove.variables === id}
                      onClick={() => remove.mutate(id)}
                    />
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button
        size="sm"
        variant="ghost"
        icon="plus"
        disabledReason={may.reason}
        onClick={() => setIsOpen(true)}
      >
        Add note
      </Button>
      <Suspense>
        {isOpen && <NewNoteDialog projectId={projectId} day={lastDay} onClose={() => setIsOpen(false)} />}
        {editing && <EditNoteDialog projectId={projectId} note={editing} onClose={() => setEditing(null)} />}
      </Suspense>
    </div>
  );
}
