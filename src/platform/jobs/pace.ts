/** Idle time (ms) that may be caught up at once. */
const SLACK_MS = 50;

/**
 * Limits the rate of work, to leave capacity for requests during a backlog. Monotonic time, because it is about load,
 * not due times.
 */
export class Pace {
  /** Earliest time (ms) for the next piece of work. */
  private nextAt = -Infinity;

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts completed work and returns how long (ms) to wait before the next piece. */
  pauseAfter(count: number): number {
    const nowMs = this.nowMs();
    this.nextAt = Math.max(nowMs - SLACK_MS, this.nextAt) + (count * 1000) / this.perSecond;
    return Math.max(0, this.nextAt - nowMs);
  }
}
