import type { Layout } from './draw.js';

/** Returns the index of the bucket that contains a day, given the first days of the buckets; -1 if it is before them. */
export const bucketOf = (days: readonly string[], day: string): number =>
  days.findLastIndex((first) => first <= day);

/** A line with a point on it above the bucket of a note. The note's text is in the readout and below the chart. */
export function NoteMark({ layout: { x, y }, bucket }: { layout: Layout; bucket: number }) {
  const [bottom, top] = y.range();
  return (
    <g aria-hidden="true" className="fill-panel stroke-fg" data-note>
      <line x1={x(bucket)} x2={x(bucket)} y1={bottom} y2={top} strokeDasharray="1 3" />
      <circle cx={x(bucket)} cy={top} r="4" strokeWidth="1.5" />
    </g>
  );
}
