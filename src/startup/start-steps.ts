import type { Log } from '../platform/observability/log.js';

/** For the step under way: the longest is a migration, which ends within six seconds. */
const END_WITHIN_MS = 8_000;

type Undo = () => Promise<unknown>;

/** The steps of a start. When the process is asked to stop, the step at hand ends in order and no other one begins. */
export class StartSteps {
  private readonly undoing: Undo[] = [];
  private overdue: NodeJS.Timeout | undefined;

  constructor(
    private readonly requested: AbortSignal,
    private readonly log: Log,
  ) {
    if (requested.aborted) this.begin();
    else requested.addEventListener('abort', this.begin, { once: true });
  }

  /** Runs a step, which says what undoes it. Comes back only if the start goes on. */
  async run<T>(step: (undoneBy: (undo: Undo) => void) => Promise<T>): Promise<T> {
    try {
      const result = await step((undo) => this.undoing.unshift(undo));
      if (this.requested.aborted) await this.end();
      return result;
    } catch (error) {
      // What a step throws because it was stopped is not a failure of the start.
      if (this.requested.aborted) {
        this.log.info({ reason: String(error) }, 'a step of the start was stopped');
        await this.end();
      }
      await this.undo();
      throw error;
    }
  }

  /** The start is complete: from now on the running server handles a request to stop. */
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
