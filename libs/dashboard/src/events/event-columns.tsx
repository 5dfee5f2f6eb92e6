import { AppName } from '../frame/names/app-name.js';
import { SoldProduct } from '../frame/names/product-name.js';
import { Money } from '../ui/format/money.js';
import type { Column } from '../ui/lists/data-list-row.js';
import { DataText } from '../ui/text/data-text.js';
import { Time } from '../ui/format/time.js';
import { amountOf, productOf } from './event-facts.js';
import type { RecordedEvent } from './events.queries.js';
import { environmentLabels } from './labels.js';

/** Columns of the list; fewer while a panel is open next to it. */
export function eventColumns(projectId: string, isNarrow: boolean): Column<RecordedEvent>[] {
  const columns: Column<RecordedEvent>[] = [
    {
      id: 'type',
      header: 'Type',
      cell: ({ type }) => <DataText truncate>{type}</DataText>,
      width: 'minmax(6rem, 1.2fr)',
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
      id: 'product',
      header: 'Product',
      cell: ({ body, app_id: appId }) => (
        <SoldProduct projectId={projectId} identifier={productOf(body)} appId={appId} />
      ),
      width: isNarrow ? undefined : 'minmax(0, 1.4fr)',
      priority: 2,
    },
    {
      id: 'occurred',
      header: 'Happened',
      cell: ({ occurred_at: ms }) => <Time ms={ms} />,
      width: '8rem',
      priority: 1,
    },
  ];
  if (isNarrow) return columns;
  columns.splice(
    3,
    0,
    {
      id: 'amount',
      header: 'Amount',
      cell: ({ body }) => <Money {...amountOf(body)} />,
      align: 'end',
      width: '6rem',
      priority: 2,
    },
    {
      id: 'app',
      header: 'App',
      cell: ({ app_id: id }) => <AppName projectId={projectId} appId={id} />,
      priority: 3,
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
