import { memo, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import { AppLink } from '../app-link.js';
import { cx } from '../cx.js';

export interface Column<T> {
  id: string;
  header: ReactNode;
  cell: (row: T) => ReactNode;
  align?: 'end';
  /** A CSS width; columns without one share the remaining space. */
  width?: string;
  /** In narrow layouts, 1 is on the first line, 2 on the second, and 3 is hidden. */
  priority?: 1 | 2 | 3;
  /** On a small screen without a header row, precedes a value that does not explain itself. */
  label?: string;
}

export interface Selectable {
  selected: ReadonlySet<string>;
  onChange: (selected: Set<string>) => void;
}

interface RowProps<T> {
  row: T;
  id: string;
  index: number;
  columns: readonly Column<T>[];
  href?: string;
  onOpen?: (row: T) => void;
  current?: boolean;
  /** Undefined if rows cannot be selected. */
  selected?: boolean;
  onSelect?: (id: string, selected: boolean) => void;
  /** Reports the row's height to a long list. */
  measure?: (element: HTMLElement | null) => void;
}

const interactive = 'a,button,input,select,textarea,label,summary';

/** A click anywhere on the row follows its link; selecting text does not. */
function followRow(event: MouseEvent<HTMLElement>) {
  // React also bubbles clicks from the row's menu, which is elsewhere in the document.
  if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
  if (event.target.closest(interactive)) return;
  if (getSelection()?.type === 'Range') return;
  const primary = event.currentTarget.querySelector<HTMLElement>('[data-primary]');
  primary?.dispatchEvent(
    new MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
    }),
  );
}

function Primary<T>({
  row,
  href,
  onOpen,
  children,
}: Pick<RowProps<T>, 'row' | 'href' | 'onOpen'> & { children: ReactNode }) {
  const look = 'ui-primary block min-w-0 max-w-full text-start font-medium text-fg no-underline';
  if (href !== undefined) {
    return (
      <AppLink href={href} data-primary className={look}>
        {children}
      </AppLink>
    );
  }
  if (!onOpen) return children;
  return (
    <button type="button" data-primary onClick={() => onOpen(row)} className={look}>
      {children}
    </button>
  );
}

function RowOf<T>({
  row,
  id,
  index,
  columns,
  href,
  onOpen,
  current,
  selected,
  onSelect,
  measure,
}: RowProps<T>) {
  const opens = href !== undefined || onOpen !== undefined;
  return (
    <tr
      ref={measure}
      role="row"
      aria-rowindex={index + 2}
      aria-current={current || undefined}
      data-key={id}
      data-index={index}
      onClick={opens ? followRow : undefined}
      className={cx('ui-row', opens && 'ui-row-opens')}
    >
      {onSelect && (
        <td role="cell" className="ui-cell ui-cell-check">
          <input
            type="checkbox"
            aria-label={`Select ${id}`}
            checked={selected}
            onChange={(event) => onSelect(id, event.target.checked)}
            className="ui-check m-0!"
          />
        </td>
      )}
      {columns.map((column, position) => (
        <td
          key={column.id}
          role="cell"
          data-priority={column.priority ?? (position === 0 ? 1 : 2)}
          data-label={column.label}
          className={cx('ui-cell', column.align === 'end' && 'ui-cell-end')}
        >
          {position === 0 ? (
            <Primary row={row} href={href} onOpen={onOpen}>
              {column.cell(row)}
            </Primary>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** One row of a list. */
export const DataListRow = memo(RowOf) as typeof RowOf;

/** Empty space for rows that are not in the document. */
export function RowGap({ height }: { height: number }) {
  const style: CSSProperties = { height };
  return height > 0 ? <tr aria-hidden="true" role="presentation" style={style} className="block" /> : null;
}
