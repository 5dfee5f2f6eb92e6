import type { UseMutationResult } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { CallError } from '../api/call-error.js';
import type { ShowCall } from '../frame/api-calls/show-call.js';
import { ConfirmCall } from '../frame/forms/confirm-call.js';
import type { Column } from '../ui/lists/data-list.js';
import { QueryList, type QueryListProps } from '../ui/lists/query-list.js';

interface EndableListProps<Row> extends Omit<QueryListProps<Row>, 'columns' | 'rowKey'> {
  columnsOf: (onEnd: (row: Row) => void) => Column<Row>[];
  /** The result of `useWrite`. Its input is the id of the row. */
  end: UseMutationResult<unknown, CallError, string>;
  texts: { title: string; confirm: string; done: string };
  /** Sentence in the dialog. */
  effect: (row: Row) => string;
  call: (row: Row) => ComponentProps<typeof ShowCall>;
}

/** Sessions or clients with access to the account. Each row can be ended after a confirmation. */
export function EndableList<Row extends { id: string }>(props: EndableListProps<Row>) {
  const { columnsOf, end, texts, effect, call, ...list } = props;
  const [ending, setEnding] = useState<Row | null>(null);
  return (
    <>
      <QueryList {...list} rowKey={({ id }) => id} columns={columnsOf(setEnding)} />
      {ending && (
        <ConfirmCall
          danger
          title={texts.title}
          effect={effect(ending)}
          confirmLabel={texts.confirm}
          write={end}
          input={ending.id}
          done={texts.done}
          call={call(ending)}
          onClose={() => {
            setEnding(null);
            end.reset();
          }}
        />
      )}
    </>
  );
}
