import type { Clock } from '../../../libs/kernel/index.js';
import { gaugeReading } from '../observability/gauge-reading.js';

/** What a look over all queues of a kind found. */
export interface OldestDue {
  /** Null when nothing waits. */
  dueAt: Date | null;
  /** Queues that were looked into, which is what a look costs. */
  looks: number;
}

/** Looks that cost nothing to speak of; with more of them a reading is kept for a millisecond each. */
const FREE_LOOKS = 1_000;
const MAX_KEPT_MS = 30_000;

/**
 * How long work has been waiting, for gauges. However often and by however many it is asked for, a process has one
 * reading under way at most, and rests after one that had many queues to look into: a look takes microseconds, so that
 * readings take less than a hundredth of the time of one connection.
 */
export class DueAges {
  private running: Promise<number[]> | null = null;
  private kept: { ages: number[]; untilMs: number } | null = null;

  /** Of several kinds of queues, read one after another. */
  constructor(
    private readonly clock: Clock,
    private readonly kinds: (() => Promise<OldestDue>)[],
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** In seconds, for each kind; 0 where nothing waits. NaN when it cannot be told (in time: the next call may). */
  async seconds(): Promise<number[]> {
    if (this.kept && this.monotonicMs() < this.kept.untilMs) return this.kept.ages;
    this.running ??= this.read().finally(() => (this.running = null));
    const { running } = this;
    return (await gaugeReading(() => running)) ?? this.kinds.map(() => Number.NaN);
  }

  private async read(): Promise<number[]> {
    this.kept = null;
    let looks = 0;
    const ages: number[] = [];
    for (const oldest of this.kinds) {
      const found = await oldest();
      looks += found.looks;
      ages.push(found.dueAt ? Math.max(0, this.clock.nowMs() - found.dueAt.getTime()) / 1000 : 0);
    }
    if (looks >= FREE_LOOKS) this.kept = { ages, untilMs: this.monotonicMs() + Math.min(looks, MAX_KEPT_MS) };
    return ages;
  }
}
