import type { Column } from '../ui/lists/data-list-row.js';
import { DataText } from '../ui/text/data-text.js';
import { Time } from '../ui/format/time.js';
import type { RecordedEvent } from './events.queries.js';
import { text } from './events.text.js';

/** Columns of the list; fewer while a panel is open next to it. */
export function eventColumns(appName: (id: string) => string, isNarrow: boolean): Column<RecordedEvent>[] {
  const columns: Column<RecordedEvent>[] = [
    {
      id: 'type',
      header: text.columns.type,
      cell: ({ type }) => <DataText truncate>{type}</DataText>,
      width: 'minmax(6rem, 1.6fr)',
      priority: 1,
    },
    {
      id: 'customer',
      header: text.columns.customer,
      cell: ({ app_user_id: id }) => (
        <DataText mono truncate>
          {id}
        </DataText>
      ),
      priority: 2,
    },
    {
      id: 'occurred',
      header: text.columns.occurred,
      cell: ({ occurred_at: ms }) => <Time ms={ms} />,
      width: '9rem',
      priority: 1,
    },
  ];
  if (isNarrow) return columns;
  columns.splice(
    2,
    0,
    {
      id: 'app',
      header: text.columns.app,
      cell: ({ app_id: id }) => <DataText truncate>{id === null ? null : appName(id)}</DataText>,
      priority: 2,
    },
    {
      id: 'environment',
      header: text.columns.environment,
      cell: ({ environment }) => (environment === null ? '—' : text.environments[environment]),
      width: '7rem',
      priority: 3,
    },
  );
  return columns;
}
