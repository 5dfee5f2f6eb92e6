import { BarChart, LineChart, StackedAreaChart } from '../ui/chart/charts.js';
import type { ChartProps, Series } from '../ui/chart/chart-series.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatDay } from '../ui/format/format-time.js';
import { Panel } from '../ui/panel.js';
import { type ChartData, comparable, drawingOf, incompleteFrom, seriesOf, sharesOf } from './chart-data.js';
import { bucketLabel } from './chart-range.js';
import type { DrawAs } from './chart-state.js';
import { ChartFigures } from './chart-figures.js';
import type { ChartOnPage } from './use-chart.js';
import { NotesList } from './notes/notes-list.js';
import { useAxisFigure, useFigure } from './use-figure.js';
import { useValueName } from './value-names.js';
import { type ValueColumn, ValuesTable } from './values-table.js';
import { bucketLabels } from './labels.js';

const kinds = { line: LineChart, area: StackedAreaChart, column: BarChart, share: BarChart };

/** A time-series chart: its drawing, its parts, its figures, and a table of the same numbers. */
export function SeriesView({ page, data }: { page: ChartOnPage; data: ChartData }) {
  const { state, resolution, before } = page;
  const { locale } = useFormat();
  const figure = useFigure(data.yaxis_currency);
  const { measures, segments } = data;
  const series = seriesOf(data);
  const drawing = drawingOf(measures);
  const chosen = measures.findIndex(({ id }) => id === state.shown);
  const main = chosen >= 0 && segments ? [chosen] : segments ? drawing.main.slice(0, 1) : drawing.main;
  const unit = measures[main[0] ?? 0]?.unit ?? '#';
  const draw = state.draw ?? usualDrawing(data, unit === '%');
  const isShare = draw === 'share' && segments !== null;
  const axisFigure = useAxisFigure(data.yaxis_currency, isShare ? '%' : unit);
  const nameOf = useValueName();
  const named = (name: string) => nameOf(state.segment, name);
  const beforeSeries = before && !segments ? seriesOf(before) : undefined;
  const compared = beforeSeries && comparable(series, beforeSeries, drawing.line ?? main[0] ?? 0);
  const parts = segments ? [...segments.entries()].filter(([, { chartable }]) => chartable) : [];
  if (series.buckets.length === 0) return <EmptyState sentence="There is nothing in this range." />;

  const isMoment = series.buckets.length === 1 && parts.length > 0;
  const own: Series[] = isMoment
    ? main.map((measure) => ({
        name: measures[measure]!.display_name,
        values: parts.map(([index]) => series.values(measure, index)[0] ?? null),
      }))
    : segments
      ? parts.map(([index, segment]) => ({
          name: named(segment.display_name),
          values: series.values(main[0] ?? 0, index),
        }))
      : main.map((measure) => ({
          name: measures[measure]!.display_name,
          values: series
            .values(measure)
            .map((value) =>
              value !== null && drawing.losses.includes(measure) ? 0 - Math.abs(value) : value,
            ),
          asLine: measure === drawing.line,
        }));
  const drawn = [
    ...(isShare ? sharesOf(own) : own),
    ...(compared ? [{ name: 'Previous period', values: compared, comparison: true }] : []),
  ];
  const Chart = kinds[isMoment || drawing.line !== null ? 'column' : draw];
  const common = isMoment
    ? { days: parts.map(([, segment]) => named(segment.display_name)) }
    : {
        days: series.buckets,
        incompleteFrom: incompleteFrom(series.incomplete),
        incompleteFirst: series.incomplete[0],
        bucketName: (day: string, short: boolean) => bucketLabel(locale, day, resolution, formatDay, short),
      };
  const columns: ValueColumn[] = segments
    ? [...segments.entries()].map(([index, segment]) => ({
        name: named(segment.display_name),
        values: series.values(main[0] ?? 0, index).map((value) => figure(value, unit)),
      }))
    : measures.map(({ display_name: name, unit: of }, index) => ({
        name,
        values: series.values(index).map((value) => figure(value, of)),
      }));
  if (compared)
    columns.push({ name: 'Previous period', values: compared.map((value) => figure(value, unit)) });
  return (
    <>
      <Panel>
        <Chart
          label={data.display_name}
          series={drawn}
          format={(value) => figure(value, isShare ? '%' : unit)}
          axisFormat={axisFigure}
          notes={isMoment ? [] : page.notes}
          {...common}
        />
        {!segments &&
          drawing.below.map((group) => (
            <Parts key={group.join(' ')} data={data} group={group} common={common} />
          ))}
        {!isMoment && <NotesList projectId={page.projectId} notes={page.notes} lastDay={page.span.end} />}
      </Panel>
      <ChartFigures page={page} data={data} before={before} />
      <Panel title="Values" padded={false}>
        <ValuesTable
          label="Values"
          first={bucketLabels[resolution]}
          rows={series.buckets.map((day, index) => ({
            id: day,
            name: bucketLabel(locale, day, resolution, formatDay),
            isIncomplete: series.incomplete[index] ?? false,
          }))}
          columns={columns}
        />
      </Panel>
    </>
  );
}

interface PartsProps {
  data: ChartData;
  /** Indexes of measures with one unit. */
  group: readonly number[];
  common: Omit<ChartProps, 'label' | 'series' | 'format'>;
}

/** Measures below the main drawing, such as the counts of a rate. */
function Parts({ data, group, common }: PartsProps) {
  const { unit } = data.measures[group[0]!]!;
  const figure = useFigure(data.yaxis_currency);
  const axisFigure = useAxisFigure(data.yaxis_currency, unit);
  const series = seriesOf(data);
  return (
    <BarChart
      label={`${data.display_name}. Parts of it`}
      height={130}
      series={group.map((index) => ({
        name: data.measures[index]!.display_name,
        values: series.values(index),
      }))}
      format={(value) => figure(value, unit)}
      axisFormat={axisFigure}
      {...common}
    />
  );
}

/** Uses the server's type; several lines of amounts are stacked. */
function usualDrawing({ display_type: type, segments }: ChartData, isRate: boolean): DrawAs {
  if (type !== 'line') return isRate ? 'line' : 'column';
  return segments && !isRate ? 'area' : 'line';
}
