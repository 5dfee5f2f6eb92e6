import { lazy, Suspense } from 'react';
import { type ChartProps, type Kind } from './chart-series.js';

// Loads the drawing code with the first chart.
const Plot = lazy(() => import('./plot.js').then(({ Plot }) => ({ default: Plot })));

function Lazy({ kind, ...props }: ChartProps & { kind: Kind }) {
  return (
    <Suspense fallback={<div style={{ height: props.height ?? 260 }} />}>
      <Plot kind={kind} {...props} />
    </Suspense>
  );
}

/** Lines over time. A series with `comparison` is thin and dashed. */
export const LineChart = (props: ChartProps) => <Lazy kind="line" {...props} />;

/** Parts of a whole over time. */
export const StackedAreaChart = (props: ChartProps) => <Lazy kind="area" {...props} />;

/** Columns over time; the parts of a column are stacked. */
export const BarChart = (props: ChartProps) => <Lazy kind="bar" {...props} />;
