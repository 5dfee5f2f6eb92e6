/** Few enough that another request waits only a few milliseconds for them. */
const PER_ITERATION = 4;

/**
 * Lets at most a few callers continue per iteration of the event loop. Requests that arrive in the meantime are served in
 * between, instead of after all of a burst.
 */
export class GradualStarts {
  private waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(() => this.startSome());
    });
  }

  private startSome(): void {
    const started = this.waiting.slice(0, PER_ITERATION);
    this.waiting = this.waiting.slice(PER_ITERATION);
    for (const start of started) start();
    if (this.waiting.length > 0) setImmediate(() => this.startSome());
  }
}
