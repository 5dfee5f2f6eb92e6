/**
 * Answers many single-row reads with few statements: reads that arrive while a statement is under way
 * wait for the next one, which takes all of them. Under load this saves most of the per-statement cost
 * of both processes; an idle server sends each read at once. Every read is answered by a statement that
 * started after the read was asked for, so nothing is ever stale.
 */
export class ReadBatcher<Key, Row> {
  private waiting: { key: Key; resolve: (row: Row | null) => void; reject: (error: unknown) => void }[] = [];
  private running = 0;

  /**
   * @param load rows of the asked keys, in their order, null where there is none
   * @param maxRunning statements under way at once
   * @param maxKeys keys in one statement
   */
  constructor(
    private readonly load: (keys: Key[]) => Promise<(Row | null)[]>,
    private readonly maxRunning = 2,
    private readonly maxKeys = 64,
  ) {}

  read(key: Key): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      // Wait for the other requests of this turn of the event loop.
      if (this.waiting.length === 1) setImmediate(() => this.next());
    });
  }

  private next(): void {
    while (this.running < this.maxRunning && this.waiting.length > 0) void this.run();
  }

  private async run(): Promise<void> {
    const batch = this.waiting.splice(0, this.maxKeys);
    this.running++;
    try {
      const rows = await this.load(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(rows[index] ?? null));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.running--;
      this.next();
    }
  }
}
