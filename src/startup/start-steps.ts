import type { LogService } from '../platform/observability/log.service.js';

/** Time limit for the current step; the longest is a migration, which ends within six seconds. */
const END_WITHIN_MS = 8_000;

type Undo = () => Promise<unknown>;

/** When the process is asked to stop, the current step ends cleanly and no other starts. */
export class StartSteps {
  private readonly undoing: Undo[] = [];
  private overdue: NodeJS.Timeout | undefined;

  constructor(
    private readonly requested: AbortSignal,
    private readonly log: LogService,
  ) {
    if (requested.aborted) this.begin();
    else requested.addEventListener('abort', this.begin, { once: true });
  }

  /** Runs a step, which registers how to undo it. Returns only if startup continues. */
  async run<T>(step: (undoneBy: (undo: Undo) => void) => Promise<T>): Promise<T> {
    try {
      const result = await step((undo) => this.undoing.unshift(undo));
      if (this.requested.aborted) await this.end();
      return result;
    } catch (error) {
      // An error that a step throws because of the stop is not a startup failure.
      if (this.requested.aborted) {
        this.log.info({ reason: String(error) }, 'a step of the start was stopped');
        await this.end();
      }
      await this.undo();
      throw error;
    }
  }

  /** Startup is complete: the running server now handles stop requests. */
  done(): void {
    this.requested.removeEventListener('abort', this.begin);
    clearTimeout(this.overdue);
  }

  private readonly begin = (): void => {
    this.log.info({ signal: this.requested.reason as string }, 'stopping before the start is complete');
    this.overdue = setTimeout(() => {
      this.log.fatal({}, 'the start did not end in time; the process ends with it under way');
      process.exit(1);
    }, END_WITHIN_MS);
  };

  private async undo(): Promise<void> {
    for (const undo of this.undoing) {
      await undo().catch((error: unknown) => this.log.fatal({ err: error }, 'the shutdown failed'));
    }
  }

  private async end(): Promise<never> {
    await this.undo();
    this.log.info({}, 'stopped');
    return process.exit(0);
  }
}
