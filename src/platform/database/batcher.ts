interface Waiting<Item, Result> {
  item: Item;
  since: number;
  group: string;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Item> {
  /** Batches under way at once. */
  maxRunning: number;
  maxItems: number;
  /** Only items of one group share a batch. Default: all are of one group. */
  groupOf?: (item: Item) => string;
}

/**
 * Serves many requests with few statements: items that arrive while a batch is under way wait for the next one,
 * which takes all of them. Under load this saves most of the per-statement cost of both processes; an idle
 * server serves each item at once. Every item is served by a batch that started after it was submitted, so
 * nothing read is ever stale.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  /** @param serve results of the items, in their order; `since` is when the one that waits longest was submitted */
  constructor(
    private readonly serve: (items: Item[], since: number) => Promise<Result[]>,
    private readonly options: BatcherOptions<Item>,
  ) {}

  submit(item: Item): Promise<Result> {
    const group = this.options.groupOf?.(item) ?? '';
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), group, resolve, reject });
      // Wait for the other requests of this turn of the event loop.
      if (this.waiting.length === 1) setImmediate(() => this.next());
    });
  }

  private next(): void {
    while (this.running < this.options.maxRunning && this.waiting.length > 0) void this.run();
  }

  private async run(): Promise<void> {
    const batch = this.take();
    this.running++;
    try {
      const [oldest] = batch as [Waiting<Item, Result>];
      const results = await this.serve(
        batch.map(({ item }) => item),
        oldest.since,
      );
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.running--;
      this.next();
    }
  }

  /** The item that waits longest, and those of its group behind it. */
  private take(): Waiting<Item, Result>[] {
    const group = this.waiting[0]?.group;
    const batch: Waiting<Item, Result>[] = [];
    const others: Waiting<Item, Result>[] = [];
    for (const waiting of this.waiting) {
      const fits = waiting.group === group && batch.length < this.options.maxItems;
      (fits ? batch : others).push(waiting);
    }
    this.waiting = others;
    return batch;
  }
}
