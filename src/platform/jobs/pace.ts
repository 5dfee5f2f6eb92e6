/** What may be made up for at once after a time with little to do (ms). */
const SLACK_MS = 50;

/**
 * Spreads work out, so that a backlog leaves room for whoever waits for an answer. Counts time by itself: it is about
 * the machine, not about the moments that the work is for.
 */
export class Pace {
  /** When all that was counted may be done (ms). */
  private nextAt = -Infinity;

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Counts pieces of work as done; gives how long (ms) to wait with the next one. */
  pauseAfter(count: number): number {
    const nowMs = this.nowMs();
    this.nextAt = Math.max(nowMs - SLACK_MS, this.nextAt) + (count * 1000) / this.perSecond;
    return Math.max(0, this.nextAt - nowMs);
  }
}
