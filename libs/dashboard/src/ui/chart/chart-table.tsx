import { formatDay } from '../format/format-time.js';
import { useFormat } from '../format/format-context.js';
import { ScrollFrame } from '../scroll-frame.js';
import { visibleText } from '../text/visible-text.js';
import { type ChartProps } from './chart-series.js';

/** The numbers of a chart as a table, newest first: its accessible equivalent. */
export function ChartTable({
  label,
  days,
  series,
  format,
  incompleteFrom = days.length,
}: Omit<ChartProps, 'height'>) {
  const { locale } = useFormat();
  return (
    <ScrollFrame label={label} className="max-h-112">
      <table className="w-full border-separate border-spacing-0 tabular-nums">
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky start-0 top-0 z-2 border-e border-b border-line bg-panel px-4 py-2 text-start text-xs font-medium text-muted"
            >
              UTC day
            </th>
            {series.map(({ name }) => (
              <th
                key={name}
                scope="col"
                className="sticky top-0 z-1 max-w-48 truncate border-b border-line bg-panel px-4 py-2 text-end text-xs font-medium text-muted"
              >
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, index) => (
              <tr key={day} className="hover:bg-hover">
                <th
                  scope="row"
                  className="sticky start-0 z-1 border-e border-b border-line bg-panel px-4 py-1.5 text-start font-normal whitespace-nowrap"
                >
                  {formatDay(locale, day)}
                  {index >= incompleteFrom && <span className="text-muted"> (incomplete)</span>}
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} className="border-b border-line px-4 py-1.5 text-end whitespace-nowrap">
                    {format(values[index] ?? null)}
                  </td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
