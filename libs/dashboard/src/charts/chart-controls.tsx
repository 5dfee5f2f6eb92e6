import { currencies } from '../api/currencies.js';
import { usePreferences } from '../frame/preferences.js';
import { ChipSelect, chipClass } from '../ui/forms/chip-select.js';
import { DayField } from '../ui/forms/day-field.js';
import { Icon } from '../ui/icons.js';
import { ChartFilters } from './chart-filters.js';
import { type Range, rangeLabels, ranges, type Resolution } from './chart-range.js';
import { type ChartState, type DrawAs, drawings, selectorIds } from './chart-state.js';
import { ChartChooser } from './charts-navigation.js';
import type { ChartOnPage } from './use-chart.js';

const resolutionLabels = {
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
} satisfies Record<Resolution, string>;

const drawingLabels = {
  line: 'Lines',
  area: 'Stacked area',
  column: 'Columns',
  share: '100% columns',
} satisfies Record<DrawAs, string>;

/** One row of chips for the question and the drawing, by the chart's options. In a narrow window the row scrolls. */
export function ChartControls({ page }: { page: ChartOnPage }) {
  const { state, listed, range, span, resolution, offered, options, data, currency, change } = page;
  const { change: changePreferences } = usePreferences();
  const { segments = [], user_selectors: selectors } = options.data ?? {};
  const isStatus = page.chart === 'subscription_status';
  const measures = data.data?.measures ?? [];
  const known = selectorIds.flatMap((id) => {
    const selector = selectors?.[id];
    return selector ? [{ id, selector }] : [];
  });
  const isCompared = state.compare === 'before' && state.segment === undefined;
  return (
    <div
      role="group"
      aria-label="Range, filters and grouping"
      className="relative -m-1 flex items-center gap-1.5 overflow-x-auto p-1 md:flex-wrap"
    >
      <ChartChooser page={page} />
      {!isStatus && (
        <ChipSelect
          label="Range"
          value={range}
          options={ranges.map((value) => ({ value, label: rangeLabels[value] }))}
          isSet={state.range !== undefined}
          onChange={(value) => change(rangeChange(value as Range, span))}
        />
      )}
      {range === 'custom' && !isStatus && (
        <>
          <DayField
            label="From"
            labelHidden
            value={span.start}
            max={span.end}
            className="shrink-0"
            onChange={(from) => change({ from })}
          />
          <DayField
            label="To"
            labelHidden
            value={span.end}
            min={span.start}
            className="shrink-0"
            onChange={(to) => change({ to })}
          />
        </>
      )}
      {offered.length > 1 && (
        <ChipSelect
          label="Resolution"
          value={resolution}
          options={offered.map((value) => ({ value, label: resolutionLabels[value] }))}
          isSet={state.resolution !== undefined}
          onChange={(value) => change({ resolution: offered.find((name) => name === value) })}
        />
      )}
      {known.map(({ id, selector }) => (
        <ChipSelect
          key={id}
          label={selector.display_name}
          value={state[id] ?? selector.default}
          options={selector.options.map((option) => ({ value: option.id, label: option.display_name }))}
          isSet={state[id] !== undefined}
          onChange={(value) => change({ [id]: value === selector.default ? undefined : value })}
        />
      ))}
      {!listed?.isWithoutMoney && (
        <ChipSelect
          label="Currency"
          value={currency}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            changePreferences({ displayCurrency: value });
            change({ currency: value });
          }}
        />
      )}
      {!listed?.isCohorts && !isStatus && (
        <button
          type="button"
          aria-label="Compare to previous period"
          aria-pressed={isCompared}
          aria-disabled={state.segment !== undefined || undefined}
          data-tip={state.segment === undefined ? undefined : 'Not available when grouped.'}
          onClick={() => {
            if (state.segment === undefined) change({ compare: isCompared ? undefined : 'before' });
          }}
          className={chipClass(isCompared, 'cursor-pointer aria-disabled:opacity-55')}
        >
          {isCompared && <Icon name="check" />}
          Previous period
        </button>
      )}
      <ChartFilters page={page} />
      {segments.length > 0 && (
        <ChipSelect
          label="Group by"
          isNamed
          placeholder="None"
          value={state.segment ?? ''}
          options={segments.map(({ id, display_name: label }) => ({ value: id, label }))}
          isSet={state.segment !== undefined}
          onChange={(value) => change({ segment: value || undefined, shown: undefined })}
        />
      )}
      {state.segment !== undefined && measures.length > 1 && (
        <ChipSelect
          label="Measure"
          isNamed
          placeholder="Default"
          value={state.shown ?? ''}
          options={measures.map(({ id, display_name: label }) => ({ value: id, label }))}
          isSet={state.shown !== undefined}
          onChange={(value) => change({ shown: value || undefined })}
        />
      )}
      {!listed?.isCohorts && !isStatus && (
        <ChipSelect
          label="Chart type"
          isNamed
          placeholder="Default"
          value={state.draw ?? ''}
          options={drawings
            .filter((value) => state.segment !== undefined || value === 'line' || value === 'column')
            .map((value) => ({ value, label: drawingLabels[value] }))}
          isSet={state.draw !== undefined}
          onChange={(value) => change({ draw: drawings.find((name) => name === value) })}
        />
      )}
    </div>
  );
}

/** A custom range starts with the days currently shown. */
function rangeChange(range: Range, { start, end }: ChartOnPage['span']): ChartState {
  return range === 'custom'
    ? { range, from: start, to: end, resolution: undefined }
    : { range, from: undefined, to: undefined, resolution: undefined };
}
