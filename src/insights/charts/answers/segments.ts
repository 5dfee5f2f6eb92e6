import { SegmentSums } from './chart-sums.js';
import { isAttributeColumn, otherValues } from '../definitions/attribute-dimensions.js';
import type { ChartQuestion } from '../question/chart-question.js';
import { fixedNames } from '../question/value-names.js';
import type { NamedSums } from './series-values.js';

export const totalSegment = { id: 'total', name: fixedNames.total, isTotal: true, isOther: false };
export const otherSegment = { id: 'other', name: fixedNames.other, isTotal: false, isOther: true };

type Split = Pick<ChartQuestion, 'segment' | 'segmentNames' | 'limitSegments'>;

export function segmentName({ segmentNames }: Split, id: string): string {
  return id === '' ? fixedNames.unknown : (segmentNames.get(id) ?? id);
}

/** Returns the largest segments and the rest. The group of other attribute values is always in the rest. */
export function divided<Segment extends { id: string; size: number }>(
  { segment, limitSegments }: Split,
  segments: readonly Segment[],
): { shown: Segment[]; rest: Segment[] } {
  const isAttribute = segment !== null && typeof segment === 'object' && isAttributeColumn(segment.column);
  const isMany = ({ id }: Segment): boolean => isAttribute && id === otherValues;
  const ordered = segments
    .filter((one) => !isMany(one))
    .sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1));
  return {
    shown: ordered.slice(0, limitSegments),
    rest: [...ordered.slice(limitSegments), ...segments.filter(isMany)],
  };
}

/** Returns the largest segments, and the rest as one. */
export function largest(
  bySegment: ReadonlyMap<string, SegmentSums>,
  split: Split,
  sizeOf: (sums: SegmentSums) => number,
): NamedSums[] {
  const { shown, rest } = divided(
    split,
    [...bySegment].map(([id, sums]) => ({ id, sums, size: sizeOf(sums) })),
  );
  const named = shown.map(({ id, sums }) => ({
    id,
    name: segmentName(split, id),
    isTotal: false,
    isOther: false,
    sums,
  }));
  if (rest.length === 0) return named;
  const sums = new SegmentSums();
  for (const other of rest) sums.addAll(other.sums);
  return [...named, { ...otherSegment, sums }];
}
