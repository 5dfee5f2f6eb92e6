import { Checkbox } from '../ui/forms/choice.js';
import { DayField } from '../ui/forms/day-field.js';
import { FilterBar } from '../ui/lists/filter-bar.js';
import { SelectField } from '../ui/forms/select-field.js';
import { ranges } from './chart-range.js';
import { type ChartState, drawings, selectorIds } from './chart-state.js';
import { currencies } from './charts.queries.js';
import { text } from './charts.text.js';
import type { ChartOnPage } from './use-chart.js';

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
          label={text.range}
          value={range}
          options={ranges.map((value) => ({ value, label: text.ranges[value] }))}
          onChange={({ target }) => change(rangeChange(target.value as typeof range, span))}
          className="w-40"
        />
      )}
      {range === 'custom' && !isStatus && (
        <>
          <DayField
            label={text.from}
            value={span.start}
            max={span.end}
            onChange={(from) => change({ from })}
          />
          <DayField label={text.to} value={span.end} min={span.start} onChange={(to) => change({ to })} />
        </>
      )}
      {offered.length > 1 && (
        <SelectField
          label={text.resolution}
          value={resolution}
          options={offered.map((value) => ({ value, label: text.resolutions[value] }))}
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
          label={text.segment}
          placeholder={text.noSegment}
          value={state.segment ?? ''}
          options={segments.map(({ id, display_name: label }) => ({ value: id, label }))}
          onChange={({ target }) => change({ segment: target.value || undefined, shown: undefined })}
          className="w-44"
        />
      )}
      {state.segment !== undefined && measures.length > 1 && (
        <SelectField
          label={text.shown}
          value={state.shown ?? ''}
          placeholder={text.shown}
          options={measures.map(({ id, display_name: label }) => ({ value: id, label }))}
          onChange={({ target }) => change({ shown: target.value || undefined })}
          className="w-44"
        />
      )}
      {!listed?.isWithoutMoney && (
        <SelectField
          label={text.currency}
          value={state.currency ?? 'USD'}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={({ target }) => change({ currency: target.value === 'USD' ? undefined : target.value })}
          className="w-24"
        />
      )}
      {!listed?.isCohorts && !isStatus && (
        <>
          <SelectField
            label={text.draw}
            value={state.draw ?? ''}
            placeholder={text.drawn}
            options={drawings
              .filter((value) => state.segment !== undefined || value === 'line' || value === 'column')
              .map((value) => ({ value, label: text.drawings[value] }))}
            onChange={({ target }) => change({ draw: drawings.find((name) => name === target.value) })}
            className="w-40"
          />
          <Checkbox
            label={text.compare}
            hint={state.segment === undefined ? undefined : text.compareOff}
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
