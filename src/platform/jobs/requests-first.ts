import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Share of the time that requests use while background work waits. */
const BUSY = 0.3;

/**
 * Decides whether background work waits for the requests of this process. A process with jobs only is never busy with
 * requests. Monotonic time, because it is about load.
 */
export class RequestsFirst {
  private before: EventLoopUtilization;
  private workedAtMs: number;

  constructor(
    /** The longest wait since the last piece of work. */
    private readonly maxWaitMs: number,
    private readonly utilization: () => EventLoopUtilization = () => performance.eventLoopUtilization(),
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.before = utilization();
    this.workedAtMs = nowMs();
  }

  /** Looks at the time since the last call, or since the work itself ended. */
  hasToWait(): boolean {
    const { active, idle } = this.utilization();
    const busyMs = active - this.before.active;
    const totalMs = busyMs + idle - this.before.idle;
    this.before = this.utilization();
    return busyMs > BUSY * totalMs && this.nowMs() - this.workedAtMs < this.maxWaitMs;
  }

  /** The work itself does not count as load. */
  worked(): void {
    this.before = this.utilization();
    this.workedAtMs = this.nowMs();
  }
}
