import { memo } from 'react';
import { tickIndexes } from './chart-series.js';
import { type Layout, margin } from './draw.js';

interface AxesProps {
  layout: Layout;
  days: readonly string[];
  format: (value: number) => string;
  incompleteFrom: number;
  incompleteFirst: boolean;
  bucketName: (bucket: string, short: boolean) => string;
}

/** Grid, values on the left, days below, and the band of incomplete buckets. */
export const Axes = memo(function Axes(props: AxesProps) {
  const { layout, days, format, incompleteFrom, incompleteFirst, bucketName } = props;
  const { width, height, x, y, step, left, ticks } = layout;
  const bottom = height - margin.bottom;
  const start = Math.max(left, x(incompleteFrom) - step / 2);
  return (
    <g className="fill-muted text-xs" aria-hidden="true">
      {incompleteFrom < days.length && (
        <rect
          x={start}
          y={margin.top}
          width={Math.max(2, width - margin.right - start)}
          height={bottom - margin.top}
          className="fill-hover"
        />
      )}
      {incompleteFirst && incompleteFrom > 0 && (
        <rect
          x={left}
          y={margin.top}
          width={Math.max(2, x(0) + step / 2 - left)}
          height={bottom - margin.top}
          className="fill-hover"
        />
      )}
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={left}
            x2={width - margin.right}
            y1={y(tick)}
            y2={y(tick)}
            className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
          />
          <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {tickIndexes(days.length, Math.max(2, Math.floor((width - left) / 84))).map((index) => (
        <text
          key={index}
          x={x(index)}
          y={height - 6}
          textAnchor={x(index) > width - 40 ? 'end' : x(index) < left + 16 ? 'start' : 'middle'}
        >
          {bucketName(days[index]!, true)}
        </text>
      ))}
      <text x={left - 8} y={height - 6} textAnchor="end">
        UTC
      </text>
    </g>
  );
});
