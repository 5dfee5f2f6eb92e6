/**
 * Lets one caller continue per iteration of the event loop. Requests that arrive in the meantime are served in between,
 * instead of after all of a burst. The system's waiting connections are accepted one per iteration, so long iterations
 * would keep new clients waiting for seconds.
 */
export class GradualStarts {
  private waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(() => this.startNext());
    });
  }

  private startNext(): void {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(() => this.startNext());
  }
}
