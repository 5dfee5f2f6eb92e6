import { Menu, type MenuItem } from '../ui/overlays/menu.js';
import type { Column } from '../ui/lists/data-list.js';
import { Time } from '../ui/format/time.js';
import { visibleText } from '../ui/text/visible-text.js';

export const createdColumn = <Row extends { created_at: number }>(header: string): Column<Row> => ({
  id: 'created',
  header,
  width: '9rem',
  priority: 3,
  cell: (each) => <Time ms={each.created_at} />,
});

/** The menu at the end of a row. */
export const actionsColumn = <Row,>(
  keyOf: (row: Row) => string,
  itemsOf: (row: Row) => MenuItem[],
): Column<Row> => ({
  id: 'actions',
  header: <span className="sr-only">Actions</span>,
  width: '3rem',
  align: 'end',
  priority: 1,
  cell: (each) => (
    <Menu iconOnly size="sm" label={`Actions for ${visibleText(keyOf(each))}`} items={itemsOf(each)} />
  ),
});
