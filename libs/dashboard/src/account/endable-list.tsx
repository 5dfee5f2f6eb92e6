import { useState, type ReactNode } from 'react';
import type { CallError } from '../api/call-error.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList, type QueryListProps } from '../ui/lists/query-list.js';
import { useToast } from '../ui/overlays/toast.js';

interface Ending {
  mutate: (id: string) => void;
  isPending: boolean;
  error: CallError | null;
  reset: () => void;
}

interface EndableListProps<Row> extends Omit<QueryListProps<Row>, 'columns' | 'rowKey'> {
  columnsOf: (onEnd: (row: Row) => void) => Column<Row>[];
  useEnd: (onDone: () => void) => Ending;
  texts: { title: string; confirm: string; done: string };
  /** Sentence in the dialog. */
  sentence: (row: Row) => ReactNode;
}

/** Sessions or clients with access to the account. Each row can be ended after a confirmation. */
export function EndableList<Row extends { id: string }>(props: EndableListProps<Row>) {
  const { columnsOf, useEnd, texts, sentence, ...list } = props;
  const [ending, setEnding] = useState<Row | null>(null);
  const toast = useToast();
  const end = useEnd(() => {
    setEnding(null);
    toast({ title: texts.done });
  });
  return (
    <>
      <QueryList {...list} rowKey={({ id }) => id} columns={columnsOf(setEnding)} />
      <ConfirmDialog
        open={ending !== null}
        title={texts.title}
        confirmLabel={texts.confirm}
        danger
        busy={end.isPending}
        error={end.error?.message}
        onClose={() => {
          setEnding(null);
          end.reset();
        }}
        onConfirm={() => ending && end.mutate(ending.id)}
      >
        {ending && sentence(ending)}
      </ConfirmDialog>
    </>
  );
}
