import type { Figure } from '../definitions/figures.js';
import type { Sums } from '../definitions/chart.model.js';

const DAY_MS = 86_400_000;

export interface StoredSegmentSums {
  figures: Figure[];
  rows: (number | null)[][];
}

/** Figures of one segment by bucket. The bucket `null` contains everything before the range. */
export class SegmentSums {
  private readonly byBucket = new Map<number | null, Map<Figure, number>>();

  add(bucketMs: number | null, figure: Figure, value: number): void {
    const figures = this.byBucket.get(bucketMs) ?? new Map<Figure, number>();
    this.byBucket.set(bucketMs, figures.set(figure, (figures.get(figure) ?? 0) + value));
  }

  addAll(other: SegmentSums): void {
    for (const [bucket, figures] of other.byBucket) {
      for (const [figure, value] of figures) this.add(bucket, figure, value);
    }
  }

  /** Replaces a figure with another segment's. */
  replaceWith(figure: Figure, other: SegmentSums): void {
    for (const figures of this.byBucket.values()) figures.delete(figure);
    for (const [bucket, figures] of other.byBucket) this.add(bucket, figure, figures.get(figure) ?? 0);
  }

  /** The number of sums. */
  get size(): number {
    let size = 0;
    for (const figures of this.byBucket.values()) size += figures.size;
    return size;
  }

  /** A row for each bucket: its day, then a sum for each figure in the order of `figures`. */
  toJSON(): StoredSegmentSums {
    const figures = [...new Set([...this.byBucket.values()].flatMap((sums) => [...sums.keys()]))];
    const rows = [...this.byBucket].map(([bucketMs, sums]) => [
      bucketMs === null ? null : bucketMs / DAY_MS,
      ...figures.map((figure) => sums.get(figure) ?? 0),
    ]);
    return { figures, rows };
  }

  static fromJSON({ figures, rows }: StoredSegmentSums): SegmentSums {
    const sums = new SegmentSums();
    for (const [day, ...values] of rows) {
      const bucketMs = day === null || day === undefined ? null : day * DAY_MS;
      figures.forEach((figure, index) => sums.add(bucketMs, figure, values[index] ?? 0));
    }
    return sums;
  }

  has(figure: Figure): boolean {
    return [...this.byBucket.values()].some((figures) => (figures.get(figure) ?? 0) !== 0);
  }

  flow(bucketMs: number | null, figure: Figure): number {
    return this.byBucket.get(bucketMs)?.get(figure) ?? 0;
  }

  /** Returns the sums of each bucket, and of all buckets as one. */
  over(buckets: readonly number[]): { each: Sums[]; total: Sums } {
    // Each state is the previous one plus the change. Cached, because buckets are read one at a time.
    const running = new Map<Figure, number[]>();
    const stateAt = (figure: Figure, index: number): number => {
      let known = running.get(figure);
      if (!known) {
        let state = this.flow(null, figure);
        known = [state, ...buckets.map((bucket) => (state += this.flow(bucket, figure)))];
        running.set(figure, known);
      }
      return known[index] ?? 0;
    };
    const each = buckets.map((bucket, index) => ({
      flow: (figure: Figure) => this.flow(bucket, figure),
      start: (figure: Figure) => stateAt(figure, index),
      end: (figure: Figure) => stateAt(figure, index + 1),
    }));
    const total: Sums = {
      flow: (figure) => buckets.reduce((sum, bucket) => sum + this.flow(bucket, figure), 0),
      start: (figure) => stateAt(figure, 0),
      end: (figure) => stateAt(figure, buckets.length),
    };
    return { each, total };
  }
}
