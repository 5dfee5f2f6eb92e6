interface Waiting<Item, Result> {
  item: Item;
  since: number;
  group: string;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Item> {
  maxRunning: number;
  maxItems: number;
  /** Items share a batch only within a group. Default: one group. */
  groupOf?: (item: Item) => string;
}

/**
 * Serves many requests with few statements: items that arrive while a batch runs are served together by the next one.
 * Under load this saves most of the cost per statement; an idle server serves each item immediately. An item's batch
 * always starts after its submission, so no result is stale.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;

  /** @param serve returns results in the order of the items; `since` is when the oldest item was submitted */
  constructor(
    private readonly serve: (items: Item[], since: number) => Promise<Result[]>,
    private readonly options: BatcherOptions<Item>,
  ) {}

  submit(item: Item): Promise<Result> {
    const group = this.options.groupOf?.(item) ?? '';
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), group, resolve, reject });
      // Wait for other requests in this iteration of the event loop.
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
