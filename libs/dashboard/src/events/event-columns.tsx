import type { Column } from '../ui/lists/data-list-row.js';
import { DataText } from '../ui/text/data-text.js';
import { Time } from '../ui/format/time.js';
import type { RecordedEvent } from './events.queries.js';
import { environmentLabels } from './labels.js';

/** Columns of the list; fewer while a panel is open next to it. */
export function eventColumns(appName: (id: string) => string, isNarrow: boolean): Column<RecordedEvent>[] {
  const columns: Column<RecordedEvent>[] = [
    {
      id: 'type',
      header: 'Type',
      cell: ({ type }) => <DataText truncate>{type}</DataText>,
      width: 'minmax(6rem, 1.6fr)',
      priority: 1,
    },
    {
      id: 'customer',
      header: 'Customer',
      cell: ({ app_user_id: id }) => (
        <DataText mono truncate>
          {id}
        </DataText>
      ),
      priority: 2,
    },
    {
      id: 'occurred',
      header: 'Happened',
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
      header: 'App',
      cell: ({ app_id: id }) => <DataText truncate>{id === null ? null : appName(id)}</DataText>,
      priority: 2,
    },
    {
      id: 'environment',
      header: 'Environment',
      cell: ({ environment }) => (environment === null ? '—' : environmentLabels[environment]),
      width: '7rem',
      priority: 3,
    },
  );
  return columns;
}
