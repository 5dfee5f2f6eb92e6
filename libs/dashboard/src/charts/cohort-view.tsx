import { EmptyState } from '../ui/loading/empty-state.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatDay } from '../ui/format/format-time.js';
import { Panel } from '../ui/panel.js';
import { SelectField } from '../ui/forms/select-field.js';
import { ScrollFrame } from '../ui/scroll-frame.js';
import { visibleText } from '../ui/text/visible-text.js';
import type { ChartData } from './chart-data.js';
import { bucketLabel } from './chart-range.js';
import { cohortRows, columnsOf, heatOf } from './cohorts.js';
import './heat-map.css';
import type { ChartOnPage } from './use-chart.js';
import { useFigure } from './use-figure.js';
import { bucketLabels } from './labels.js';
import { useValueName } from './value-names.js';

const head = 'border-b border-line bg-panel px-3 py-2 text-xs font-medium whitespace-nowrap text-muted';

/** Cohorts as a heat map in a table. Rows are cohorts; columns are periods since their start. */
export function CohortView({ page, data }: { page: ChartOnPage; data: ChartData }) {
  const { state, resolution, change } = page;
  const { locale } = useFormat();
  const figure = useFigure(data.yaxis_currency);
  const nameOf = useValueName();
  const periods = data.periods ?? [];
  const rows = cohortRows(data);
  const scale = state.scale ?? 'relative';
  const hasScales = periods.some((period) => period.scale === 'relative');
  const columns = columnsOf(periods, scale);
  const valuesOf = (isTotal: boolean) =>
    rows
      .filter((row) => row.isTotal === isTotal)
      .flatMap(({ cells }) => columns.map((column) => cells.get(column)?.value ?? 0));
  const highest = { own: Math.max(0, ...valuesOf(false)), total: Math.max(0, ...valuesOf(true)) };
  if (rows.length === 0) return <EmptyState sentence="There is nothing in this range." />;
  return (
    <Panel
      title={data.display_name}
      description="Shaded: incomplete."
      padded={false}
      actions={
        hasScales && (
          <SelectField
            label="Show"
            labelHidden
            value={scale}
            options={[
              { value: 'relative', label: 'Rates' },
              { value: 'absolute', label: 'Counts' },
            ]}
            onChange={({ target }) => change({ scale: target.value === 'absolute' ? 'absolute' : undefined })}
          />
        )
      }
    >
      <ScrollFrame label={data.display_name} className="max-h-160">
        <table aria-label={data.display_name} className="border-separate border-spacing-0 tabular-nums">
          <thead>
            <tr>
              <th scope="col" className={`${head} sticky start-0 top-0 z-2 border-e text-start`}>
                {state.segment === undefined ? `Cohort, ${bucketLabels[resolution]}` : 'Group'}
              </th>
              {[0, ...columns].map((column) => (
                <th key={column} scope="col" className={`${head} sticky top-0 z-1 text-end`}>
                  {periods[column]?.display_name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, isTotal, cells }) => (
              <tr key={name} className={isTotal ? 'font-medium' : undefined}>
                <th
                  scope="row"
                  className="sticky start-0 z-1 border-e border-b border-line bg-panel px-3 py-1.5 text-start font-normal whitespace-nowrap"
                >
                  {isTotal
                    ? 'Total'
                    : visibleText(nameOf(state.segment, bucketLabel(locale, name, resolution, formatDay)))}
                </th>
                {[0, ...columns].map((column) => {
                  const cell = cells.get(column);
                  const unit = periods[column]?.unit ?? '#';
                  if (!cell) return <td key={column} className="border-b border-line" />;
                  const heat =
                    column === 0 ? 0 : heatOf(cell.value, unit, isTotal ? highest.total : highest.own);
                  return (
                    <td
                      key={column}
                      className={`border-b border-line px-3 py-1.5 text-end whitespace-nowrap ${cell.incomplete ? 'heat-open' : ''}`}
                      data-tip={cell.incomplete ? 'incomplete' : undefined}
                      style={{
                        backgroundColor: `color-mix(in srgb, var(--series-1) ${heat}%, var(--panel))`,
                      }}
                    >
                      {figure(cell.value, unit)}
                      {cell.incomplete && <span className="sr-only"> (incomplete)</span>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </Panel>
  );
}
