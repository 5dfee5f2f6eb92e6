import { type JobName, jobName, watched } from './job-events.js';

/** Runs one round at a time. A wake during a round starts another right after it, so no request is lost. */
export class WorkLoop {
  private readonly job: JobName | null;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  constructor(
    private readonly round: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    /** Name of the job if each round is monitored as a piece of work. */
    job: string | null = null,
  ) {
    this.job = job === null ? null : jobName(job);
  }

  /** Requests a round. Resolves after the rounds that process everything present now. */
  wake(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.again = true;
    this.running ??= this.run();
    return this.running;
  }

  /** Long rounds check it between pieces of work. */
  get isStopping(): boolean {
    return this.stopped;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    // Several wakes in one iteration of the event loop share a round.
    await Promise.resolve();
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await (this.job === null ? this.round() : watched(this.job, this.round));
      } catch (error) {
        this.onError(error);
      }
    }
    this.running = null;
  }
}
