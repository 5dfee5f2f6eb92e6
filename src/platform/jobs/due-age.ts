import type { Clock } from '../../../libs/kernel/index.js';
import { gaugeReading } from '../observability/gauge-reading.js';

export interface OldestDue {
  /** Null if nothing is waiting. */
  dueAt: Date | null;
  /** Number of queues read, which determines the cost of a reading. */
  queuesRead: number;
}

/** Readings of fewer queues are never cached; larger ones are, for a millisecond per queue. */
const FREE_QUEUES = 1_000;
const MAX_KEPT_MS = 30_000;

/**
 * How long work has been waiting, for gauges. A process has at most one reading in progress and caches one that read
 * many queues. A queue takes microseconds, so readings use less than a hundredth of one connection's time.
 */
export class DueAges {
  private running: Promise<number[]> | null = null;
  private kept: { ages: number[]; untilMs: number } | null = null;

  /** @param kinds read one after another */
  constructor(
    private readonly clock: Clock,
    private readonly kinds: (() => Promise<OldestDue>)[],
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** In seconds by kind; 0: nothing is waiting; NaN: could not be read in time (the next call may succeed). */
  async seconds(): Promise<number[]> {
    if (this.kept && this.monotonicMs() < this.kept.untilMs) return this.kept.ages;
    this.running ??= this.read().finally(() => (this.running = null));
    const { running } = this;
    return (await gaugeReading(() => running)) ?? this.kinds.map(() => Number.NaN);
  }

  private async read(): Promise<number[]> {
    this.kept = null;
    let queuesRead = 0;
    const ages: number[] = [];
    for (const oldest of this.kinds) {
      const found = await oldest();
      queuesRead += found.queuesRead;
      ages.push(found.dueAt ? Math.max(0, this.clock.nowMs() - found.dueAt.getTime()) / 1000 : 0);
    }
    if (queuesRead >= FREE_QUEUES)
      this.kept = { ages, untilMs: this.monotonicMs() + Math.min(queuesRead, MAX_KEPT_MS) };
    return ages;
  }
}
