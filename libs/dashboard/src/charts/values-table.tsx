import { ScrollFrame } from '../ui/scroll-frame.js';
import { visibleText } from '../ui/text/visible-text.js';

export interface ValueColumn {
  name: string;
  values: readonly string[];
}

interface ValuesTableProps {
  label: string;
  first: string;
  rows: readonly { id: string; name: string; isIncomplete: boolean }[];
  columns: readonly ValueColumn[];
}

const head =
  'sticky top-0 z-1 max-w-48 truncate border-b border-line bg-panel px-4 py-2 text-xs font-medium text-muted';

/** The numbers of a chart, newest first: its accessible equivalent. */
export function ValuesTable({ label, first, rows, columns }: ValuesTableProps) {
  return (
    <ScrollFrame label={label} className="max-h-112">
      <table aria-label={label} className="w-full border-separate border-spacing-0 tabular-nums">
        <thead>
          <tr>
            <th scope="col" className={`${head} start-0 z-2! border-e text-start`}>
              {first}
            </th>
            {columns.map(({ name }, index) => (
              <th key={index} scope="col" className={`${head} text-end`}>
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows.entries()].toReversed().map(([index, { id, name, isIncomplete }]) => (
            <tr key={id} className="hover:bg-hover">
              <th
                scope="row"
                className="sticky start-0 z-1 border-e border-b border-line bg-panel px-4 py-1.5 text-start font-normal whitespace-nowrap"
              >
                {name}
                {isIncomplete && <span className="text-muted"> (incomplete)</span>}
              </th>
              {columns.map(({ values }, place) => (
                <td key={place} className="border-b border-line px-4 py-1.5 text-end whitespace-nowrap">
                  {values[index] ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
