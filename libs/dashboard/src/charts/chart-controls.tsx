import { Checkbox } from '../ui/forms/choice.js';
import { DayField } from '../ui/forms/day-field.js';
import { FilterBar } from '../ui/lists/filter-bar.js';
import { SelectField } from '../ui/forms/select-field.js';
import { ranges } from './chart-range.js';
import { type ChartState, drawings, selectorIds } from './chart-state.js';
import { currencies } from './charts.queries.js';
import type { ChartOnPage } from './use-chart.js';
import type { Range, Resolution } from './chart-range.js';
import type { DrawAs } from './chart-state.js';

const rangeLabels = {
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  ytd: 'Year to date',
  custom: 'Custom',
} satisfies Record<Range, string>;

const resolutionLabels = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
} satisfies Record<Resolution, string>;

const drawingLabels = {
  line: 'Lines',
  area: 'Stacked area',
  column: 'Columns',
  share: 'Columns of 100%',
} satisfies Record<DrawAs, string>;

/** Controls for the question and the drawing, by the chart's options. */
export function ChartControls({ page }: { page: ChartOnPage }) {
  const { state, listed, range, span, resolution, offered, options, data, change } = page;
  const { segments = [], user_selectors: selectors } = options.data ?? {};
  const isStatus = page.chart === 'subscription_status';
  const measures = data.data?.measures ?? [];
  const known = selectorIds.flatMap((id) => {
    const selector = selectors?.[id];
    return selector ? [{ id, selector }] : [];
  });
  return (
    <FilterBar isLabelled count={state.segment === undefined ? 0 : 1}>
      {!isStatus && (
        <SelectField
          label="Range"
          value={range}
          options={ranges.map((value) => ({ value, label: rangeLabels[value] }))}
          onChange={({ target }) => change(rangeChange(target.value as typeof range, span))}
          className="w-40"
        />
      )}
      {range === 'custom' && !isStatus && (
        <>
          <DayField label="From" value={span.start} max={span.end} onChange={(from) => change({ from })} />
          <DayField label="To" value={span.end} min={span.start} onChange={(to) => change({ to })} />
        </>
      )}
      {offered.length > 1 && (
        <SelectField
          label="Resolution"
          value={resolution}
          options={offered.map((value) => ({ value, label: resolutionLabels[value] }))}
          onChange={({ target }) => change({ resolution: offered.find((name) => name === target.value) })}
          className="w-28"
        />
      )}
      {known.map(({ id, selector }) => (
        <SelectField
          key={id}
          label={selector.display_name}
          value={state[id] ?? selector.default}
          options={selector.options.map((option) => ({ value: option.id, label: option.display_name }))}
          onChange={({ target }) =>
            change({ [id]: target.value === selector.default ? undefined : target.value })
          }
          className="w-44"
        />
      ))}
      {segments.length > 0 && (
        <SelectField
          label="Split by"
          placeholder="Nothing"
          value={state.segment ?? ''}
          options={segments.map(({ id, display_name: label }) => ({ value: id, label }))}
          onChange={({ target }) => change({ segment: target.value || undefined, shown: undefined })}
          className="w-44"
        />
      )}
      {state.segment !== undefined && measures.length > 1 && (
        <SelectField
          label="Figure"
          value={state.shown ?? ''}
          placeholder="Figure"
          options={measures.map(({ id, display_name: label }) => ({ value: id, label }))}
          onChange={({ target }) => change({ shown: target.value || undefined })}
          className="w-44"
        />
      )}
      {!listed?.isWithoutMoney && (
        <SelectField
          label="Currency"
          value={state.currency ?? 'USD'}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={({ target }) => change({ currency: target.value === 'USD' ? undefined : target.value })}
          className="w-24"
        />
      )}
      {!listed?.isCohorts && !isStatus && (
        <>
          <SelectField
            label="Drawn as"
            value={state.draw ?? ''}
            placeholder="As usual"
            options={drawings
              .filter((value) => state.segment !== undefined || value === 'line' || value === 'column')
              .map((value) => ({ value, label: drawingLabels[value] }))}
            onChange={({ target }) => change({ draw: drawings.find((name) => name === target.value) })}
            className="w-40"
          />
          <Checkbox
            label="Compare with the period before"
            hint={state.segment === undefined ? undefined : 'Without a split only.'}
            disabled={state.segment !== undefined}
            checked={state.compare === 'before' && state.segment === undefined}
            onChange={({ target }) => change({ compare: target.checked ? 'before' : undefined })}
            className="self-center"
          />
        </>
      )}
    </FilterBar>
  );
}

/** A custom range starts with the days currently shown. */
function rangeChange(range: ChartOnPage['range'], { start, end }: ChartOnPage['span']): ChartState {
  return range === 'custom'
    ? { range, from: start, to: end, resolution: undefined }
    : { range, from: undefined, to: undefined, resolution: undefined };
}
