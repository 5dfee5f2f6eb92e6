import { cx } from '../cx.js';
import { trackOf } from './data-list.js';
import type { Column } from './data-list-row.js';

const rows = ['opacity-80', 'opacity-50', 'opacity-25'];

/** Decorative preview of a list: its columns and placeholder rows. */
export function ListPreview<T>({ columns }: { columns: readonly Column<T>[] }) {
  const tracks = { gridTemplateColumns: columns.map(({ width }) => trackOf(width)).join(' ') };
  return (
    <div aria-hidden="true" className="overflow-hidden select-none max-sm:hidden">
      <div style={tracks} className="grid min-h-8 items-center gap-x-5 border-b border-line px-4">
        {columns.map(({ id, header, align }) => (
          <span
            key={id}
            className={cx('truncate text-xs font-medium text-muted', align === 'end' && 'text-end')}
          >
            {header}
          </span>
        ))}
      </div>
      {rows.map((opacity, row) => (
        <div
          key={opacity}
          style={tracks}
          className={cx('ui-row-height grid items-center gap-x-5 border-b border-line px-4', opacity)}
        >
          {columns.map(({ id, align }, column) => (
            <span
              key={id}
              style={{ width: `${75 - ((row * 17 + column * 11) % 40)}%` }}
              className={cx('h-2.5 rounded-sm bg-line', align === 'end' && 'ms-auto')}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
