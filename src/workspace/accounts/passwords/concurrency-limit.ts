/** Runs at most `max` pieces of work at a time; the others wait in order of arrival. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.max) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Pass the slot directly to the next in line, so that no later caller can overtake it.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
