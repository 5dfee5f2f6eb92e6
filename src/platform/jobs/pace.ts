/** Idle time (ms) that may be caught up at once. */
const SLACK_MS = 50;

/** Leaves room for requests beside a backlog. Monotonic time, because it is about load, not due times. */
export class Pace {
  /** When everything counted so far may be done (ms). */
  private nextAt = -Infinity;

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts pieces of work as done and returns how long (ms) to wait before the next. */
  pauseAfter(count: number): number {
    const nowMs = this.nowMs();
    this.nextAt = Math.max(nowMs - SLACK_MS, this.nextAt) + (count * 1000) / this.perSecond;
    return Math.max(0, this.nextAt - nowMs);
  }
}
