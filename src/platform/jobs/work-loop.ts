import { type JobName, jobName, watched } from './job-events.js';

/**
 * Runs a round of work now and again, never two at once in this process. A wake during a round makes another
 * round right after it, so that nothing that was asked for is forgotten.
 */
export class WorkLoop {
  private readonly job: JobName | null;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  constructor(
    private readonly round: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
    /** Of the job, where a round is a piece of work to be watched. */
    job: string | null = null,
  ) {
    this.job = job === null ? null : jobName(job);
  }

  /** Asks for a round; gives the end of the rounds that see everything there is now. */
  wake(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.again = true;
    this.running ??= this.run();
    return this.running;
  }

  /** True as soon as the loop is to stop: a long round looks at it between its pieces. */
  get isStopping(): boolean {
    return this.stopped;
  }

  /** Lets the running round end and starts no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    // Several wakes of one turn of the event loop are one round.
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
