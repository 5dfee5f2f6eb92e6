import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
} from 'react';
import { cx } from '../cx.js';
import { type Column, DataListRow, type Selectable } from './data-list-row.js';
import { useRestoredPosition } from './restore-position.js';
import { useRowKeys } from './use-row-keys.js';

export type { Column, Selectable } from './data-list-row.js';

/** Up to this number, all rows are in the document. */
const allInPage = 200;
// Loaded on demand, because few lists are that long.
const RowsInView = lazy(() => import('./rows-in-view.js'));

/** Columns of a fixed width shrink before the others disappear. */
export function trackOf(width: string | undefined): string {
  if (width === undefined) return 'minmax(6rem, 1fr)';
  return /^[\d.]+(rem|em|ch|px)$/.test(width) ? `minmax(0, ${width})` : width;
}

export interface DataListProps<T> {
  /** Name of the table. */
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** Address that a row opens; or `onOpen` for a panel next to the list. */
  rowHref?: (row: T) => string | undefined;
  onOpen?: (row: T) => void;
  /** Key of the open row. */
  selectedKey?: string;
  selectable?: Selectable;
  /** Called when the last screenful becomes visible. */
  onEndReached?: () => void;
  footer?: ReactNode;
}

/** A table that becomes two-line rows in narrow layouts. Above 200 rows, only the visible ones are in the document. */
export function DataList<T>(props: DataListProps<T>) {
  const { label, rows, columns, rowKey, rowHref, onOpen, selectedKey, selectable, onEndReached, footer } =
    props;
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState(-1);
  const many = rows.length > allInPage;
  useLayoutEffect(() => {
    if (many && table.current) setTop(table.current.getBoundingClientRect().top + window.scrollY);
  }, [many]);
  const reveal = useRef<(index: number) => void>(null);
  const { onKeyDown, focusWanted } = useRowKeys({
    list: table,
    rows: rows.length,
    enabled: rowHref !== undefined || onOpen !== undefined,
    reveal: (index) => reveal.current?.(index),
  });
  useRestoredPosition(label, table, rows.length);

  const { selected, onChange } = selectable ?? {};
  const latest = useRef({ selected, onChange });
  useEffect(() => {
    latest.current = { selected, onChange };
  });
  const select = useCallback((id: string, on: boolean) => {
    const next = new Set(latest.current.selected);
    if (on) next.add(id);
    else next.delete(id);
    latest.current.onChange?.(next);
  }, []);

  const draw = (index: number, measure?: (element: HTMLElement | null) => void) => {
    const row = rows[index]!;
    const id = rowKey(row);
    return (
      <DataListRow
        key={id}
        row={row}
        id={id}
        index={index}
        columns={columns}
        href={rowHref?.(row)}
        onOpen={onOpen}
        current={selectedKey === id}
        measure={measure}
        selected={selected?.has(id)}
        onSelect={selectable && select}
      />
    );
  };
  const first = () => rows.slice(0, allInPage).map((_, index) => draw(index));
  const all = rows.length > 0 && rows.every((row) => selected?.has(rowKey(row)));
  const tracks = (shown: readonly Column<T>[]) =>
    [...(selectable ? ['1rem'] : []), ...shown.map(({ width }) => trackOf(width))].join(' ');
  return (
    <div className="ui-list">
      <table
        ref={table}
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocused(Number(event.target.closest<HTMLElement>('tr')?.dataset.index ?? -1))}
        style={
          {
            '--cols': tracks(columns),
            '--cols-fewer': tracks(columns.filter(({ priority }) => priority !== 3)),
          } as CSSProperties
        }
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1} className="ui-head">
            {selectable && (
              <th
                role="columnheader"
                scope="col"
                className="ui-cell-check"
                data-label="Select all loaded rows"
              >
                <input
                  type="checkbox"
                  aria-label="Select all loaded rows"
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = !all && (selected?.size ?? 0) > 0;
                  }}
                  onChange={() => onChange?.(new Set(all ? [] : rows.map(rowKey)))}
                  className="ui-check m-0!"
                />
              </th>
            )}
            {columns.map(({ id, header, align, priority }) => (
              <th
                key={id}
                role="columnheader"
                scope="col"
                data-priority={priority}
                className={cx(align === 'end' && 'ui-cell-end')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {many ? (
            <Suspense fallback={first()}>
              <RowsInView
                table={table}
                top={top}
                count={rows.length}
                keyOf={(index) => rowKey(rows[index]!)}
                draw={draw}
                focused={focused}
                onDrawn={focusWanted}
                onEndReached={onEndReached}
                reveal={reveal}
              />
            </Suspense>
          ) : (
            first()
          )}
        </tbody>
      </table>
      {!many && onEndReached && <EndMark key={rows.length} onReached={onEndReached} />}
      {footer}
    </div>
  );
}

/** Reports when the end of the list is less than a screen away. */
function EndMark({ onReached }: { onReached: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReached(), {
      rootMargin: '0px 0px 600px',
    });
    if (mark.current) observer.observe(mark.current);
    return () => observer.disconnect();
  }, [onReached]);
  return <div ref={mark} />;
}
