import { lineOf } from './metrics.js';

const WIDTH = 270;
const HEIGHT = 40;

/** The days of a metric as a line; the end that is not over is dashed. */
export function MetricLine({ values, label }: { values: readonly number[]; label: string }) {
  const { past, today, zero } = lineOf(values, WIDTH, HEIGHT);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      className="h-11 w-full overflow-visible text-series-1"
      fill="none"
      strokeLinejoin="round"
    >
      <line x1="0" x2={WIDTH} y1={zero} y2={zero} className="stroke-line" vectorEffect="non-scaling-stroke" />
      <polyline points={past} stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      <polyline
        points={today}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="3 3"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
