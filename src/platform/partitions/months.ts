/** A UTC month, counted from January of the year 0. */
export type Month = number;

/** A partition and its time range; null: unbounded. */
export interface Partition {
  name: string;
  /** The default partition has no range and contains all other rows. */
  isDefault: boolean;
  from: Date | null;
  /** Exclusive. */
  to: Date | null;
}

export function monthOf(ms: number): Month {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function startOf(month: Month): Date {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12));
}

/** Formats a month as `2026_01`. */
export function nameOf(month: Month): string {
  return startOf(month).toISOString().slice(0, 7).replace('-', '_');
}

function isCovered(month: Month, partitions: readonly Partition[]): boolean {
  const [start, end] = [startOf(month), startOf(month + 1)];
  return partitions.some(
    ({ isDefault, from, to }) => !isDefault && (from === null || from <= start) && (to === null || to >= end),
  );
}

/** Returns the months from `nowMs` through the next `ahead` months that have no partition. */
export function missingMonths(partitions: readonly Partition[], nowMs: number, ahead: number): Month[] {
  const current = monthOf(nowMs);
  const wanted = Array.from({ length: ahead + 1 }, (_, index) => current + index);
  return wanted.filter((month) => !isCovered(month, partitions));
}

/** Returns how many of the months after `nowMs` have a partition, up to the first gap; at most 12. */
export function monthsAhead(partitions: readonly Partition[], nowMs: number): number {
  const [first] = missingMonths(partitions, nowMs, 12).filter((month) => month > monthOf(nowMs));
  return first === undefined ? 12 : first - monthOf(nowMs) - 1;
}

/** Partitions whose rows are all before `before`, and those without a month that contain such rows. */
export function outdated(
  partitions: readonly Partition[],
  before: Date,
): { expired: Partition[]; mixed: Partition[] } {
  const expired = partitions.filter(({ isDefault, to }) => !isDefault && to !== null && to <= before);
  const mixed = partitions.filter(({ from }) => from === null);
  return { expired, mixed: mixed.filter((partition) => !expired.includes(partition)) };
}

/** Ranges before `before` that no longer have a partition; null: unbounded. */
export function endedRanges(
  partitions: readonly Partition[],
  before: Date,
): { from: Date | null; to: Date }[] {
  const ranges: { from: Date | null; to: Date }[] = [];
  let from: Date | null = null;
  const present = partitions.filter(
    ({ isDefault, from: start }) => !isDefault && (start === null || start < before),
  );
  for (const partition of present.sort((a, b) => (a.from?.getTime() ?? 0) - (b.from?.getTime() ?? 0))) {
    if (partition.from !== null && (from === null || partition.from > from))
      ranges.push({ from, to: partition.from });
    if (partition.to === null || partition.to >= before) return ranges;
    from = partition.to;
  }
  return [...ranges, { from, to: before }];
}
