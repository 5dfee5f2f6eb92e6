import { SegmentSums } from './chart-sums.js';
import type { NamedSums } from './series-values.js';

export const unknownSegment = 'Unknown';

export const totalSegment = { id: 'total', name: 'Total', isTotal: true, isOther: false };
export const otherSegment = { id: 'other', name: 'Other', isTotal: false, isOther: true };

/** The largest segments, then the rest as one. */
export function largest(
  bySegment: ReadonlyMap<string, SegmentSums>,
  limit: number,
  sizeOf: (sums: SegmentSums) => number,
  nameOf: (id: string) => string = (id) => id,
): NamedSums[] {
  const ordered = [...bySegment]
    .map(([id, sums]) => ({ id, sums, size: sizeOf(sums) }))
    .sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1));
  const shown = ordered.slice(0, limit).map(({ id, sums }) => ({
    id,
    name: id === '' ? unknownSegment : nameOf(id),
    isTotal: false,
    isOther: false,
    sums,
  }));
  const rest = ordered.slice(limit);
  if (rest.length === 0) return shown;
  const sums = new SegmentSums();
  for (const other of rest) sums.addAll(other.sums);
  return [...shown, { ...otherSegment, sums }];
}
