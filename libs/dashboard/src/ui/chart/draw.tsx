import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { area, line, stack } from 'd3-shape';
import { memo } from 'react';
import { colorOf, dashOf, isLine, type Kind, type Series } from './chart-series.js';

export interface Layout {
  width: number;
  height: number;
  x: (index: number) => number;
  y: ScaleLinear<number, number>;
  /** Width of a bucket. */
  step: number;
  /** Space of the value labels. */
  left: number;
  /** Values with a label and a line. */
  ticks: readonly number[];
}

export const margin = { top: 10, right: 12, bottom: 24 };

const TICKS = 4;
const LABEL_GAP = 10;
/** Keeps most charts below each other aligned, and has space for the word UTC. */
const LEAST_LEFT = 46;

/** Returns scales for the visible series. The space on the left follows the widest label. */
export function layoutOf(
  kind: Kind,
  width: number,
  height: number,
  series: readonly Series[],
  count: number,
  widthOfLabels: (ticks: readonly number[]) => number,
): Layout {
  const columns = Array.from({ length: count }, (_, index) =>
    series.filter((one) => !isLine(kind, one)).map(({ values }) => values[index] ?? 0),
  );
  const lines = series
    .filter((one) => isLine(kind, one))
    .flatMap(({ values }) => values.map((value) => value ?? 0));
  const of = (pick: (values: number[]) => number) => [...columns.map(pick), pick([]), ...lines];
  const positive = (values: number[]) => values.reduce((total, value) => total + Math.max(0, value), 0);
  const negative = (values: number[]) => values.reduce((total, value) => total + Math.min(0, value), 0);
  const high = Math.max(0, ...of(positive));
  const low = Math.min(0, ...of(negative));
  const y = scaleLinear([low, high === low ? low + 1 : high], [height - margin.bottom, margin.top]).nice(
    TICKS,
  );
  const ticks = y.ticks(TICKS);
  const left = Math.max(LEAST_LEFT, Math.ceil(widthOfLabels(ticks)) + LABEL_GAP);
  const inner = width - left - margin.right;
  const step = kind === 'bar' ? inner / Math.max(1, count) : inner / Math.max(1, count - 1);
  const x = (index: number) =>
    left + (kind === 'bar' ? (index + 0.5) * step : count === 1 ? inner / 2 : index * step);
  return { width, height, x, y, step, left, ticks };
}

/** With more points, they would hide the line. */
const MOST_POINTS = 60;

interface DrawProps {
  kind: Kind;
  layout: Layout;
  series: readonly Series[];
  /** Index of each series among all, which determines its color and dash. */
  places: readonly number[];
  incompleteFrom: number;
  incompleteFirst: boolean;
}

function Lines({ layout: { x, y }, series, places, incompleteFrom, incompleteFirst }: DrawProps) {
  const from = incompleteFirst ? 1 : 0;
  return series.map(({ name, values, comparison, asLine }, at) => {
    const draw = line<number | null>(
      (_, index) => x(index),
      (value) => y(value ?? 0),
    );
    const part = (shown: (index: number) => boolean) =>
      draw.defined((value, index) => value !== null && shown(index))([...values]) ?? undefined;
    const stroke = colorOf(places[at]!);
    const lone = values.filter((value) => value !== null).length === 1;
    return (
      <g key={name} fill="none" stroke={stroke} strokeWidth={comparison ? 1.25 : 2} strokeLinejoin="round">
        <path
          d={part((index) => index >= from && index < incompleteFrom)}
          strokeDasharray={comparison ? '3 3' : dashOf(places[at]!)}
          opacity={comparison ? 0.75 : undefined}
        />
        {from > 0 && <path d={part((index) => index <= 1)} strokeDasharray="1 4" strokeLinecap="round" />}
        {incompleteFrom < values.length && (
          <path
            d={part((index) => index >= incompleteFrom - 1)}
            strokeDasharray="1 4"
            strokeLinecap="round"
          />
        )}
        {(lone || (asLine && values.length <= MOST_POINTS)) &&
          values.map((value, index) =>
            value === null ? null : <circle key={index} cx={x(index)} cy={y(value)} r="3" fill={stroke} />,
          )}
      </g>
    );
  });
}

const stacked = (series: readonly Series[], count: number) =>
  stack<number, number>()
    .keys(series.keys())
    .value((bucket, key) => series[key]?.values[bucket] ?? 0)(
    Array.from({ length: count }, (_, index) => index),
  );

function Areas({ layout: { x, y }, series, places }: DrawProps) {
  const shape = area<[number, number]>()
    .x((_, index) => x(index))
    .y0(([low]) => y(low))
    .y1(([, high]) => y(high));
  const edge = line<[number, number]>(
    (_, index) => x(index),
    ([, high]) => y(high),
  );
  return stacked(series, series[0]?.values.length ?? 0).map((layer, at) => {
    const points = layer.map(([low, high]): [number, number] => [low, high]);
    return (
      <g key={series[at]!.name}>
        <path d={shape(points) ?? undefined} fill={colorOf(places[at]!)} opacity="0.28" />
        <path
          d={edge(points) ?? undefined}
          fill="none"
          stroke={colorOf(places[at]!)}
          strokeWidth="1.5"
          strokeDasharray={dashOf(places[at]!)}
        />
      </g>
    );
  });
}

function Bars({ layout: { x, y, step }, series, places, incompleteFrom, incompleteFirst }: DrawProps) {
  const width = Math.max(1, Math.min(40, step * 0.72));
  return series[0]?.values.map((_, bucket) => {
    let up = 0;
    let down = 0;
    return (
      <g
        key={bucket}
        opacity={bucket >= incompleteFrom || (incompleteFirst && bucket === 0) ? 0.45 : undefined}
      >
        {series.map(({ name, values }, at) => {
          const value = values[bucket] ?? 0;
          const from = value >= 0 ? up : down;
          if (value >= 0) up += value;
          else down += value;
          const [top, bottom] = value >= 0 ? [y(from + value), y(from)] : [y(from), y(from + value)];
          // A gap of one pixel separates neighbors without color.
          const height = Math.max(0, bottom - top - (series.length > 1 ? 1 : 0));
          return (
            <rect
              key={name}
              x={x(bucket) - width / 2}
              y={top}
              width={width}
              height={height}
              fill={colorOf(places[at]!)}
            />
          );
        })}
      </g>
    );
  });
}

const kinds = { line: Lines, area: Areas, bar: Bars };

/** The series. Redrawn only when they or the size change, not while the pointer moves. */
export const Drawing = memo(function Drawing(props: DrawProps) {
  const Shapes = kinds[props.kind];
  const only = (lines: boolean): DrawProps => {
    const at = [...props.series.keys()].filter((index) => isLine(props.kind, props.series[index]!) === lines);
    return {
      ...props,
      series: at.map((index) => props.series[index]!),
      places: at.map((index) => props.places[index]!),
    };
  };
  return (
    <>
      {props.kind !== 'line' && <Shapes {...only(false)} />}
      <Lines {...only(true)} />
    </>
  );
});
