import { Batcher } from './batcher.js';
import { isConnectionLoss, isPoolExhausted } from './database-errors.js';
import type { DatabaseService, Transaction } from './database.service.js';

/** Changes per transaction: enough to amortize its cost, few enough to release locks quickly. */
const MAX_TOGETHER = 24;
/** The longest time that one locked row may delay the others. */
const LOCK_TIMEOUT_MS = 250;

/**
 * Changes that arrive together share one transaction within a group. The result is null for a change that needs its own
 * transaction: one that `together` leaves out, or all of a transaction that failed.
 */
export class SharedTransactions<Item, Result> {
  private readonly batcher: Batcher<Item, Result | null>;

  /** @param together returns results in the order of the items */
  constructor(
    private readonly database: DatabaseService,
    private readonly together: (tx: Transaction, items: Item[]) => Promise<(Result | null)[]>,
    groupOf: (item: Item) => string,
  ) {
    const options = { maxRunning: 2, maxItems: MAX_TOGETHER, groupOf };
    this.batcher = new Batcher((items, since) => this.run(items, since), options);
  }

  submit(item: Item): Promise<Result | null> {
    return this.batcher.submit(item);
  }

  private async run(items: Item[], since: number): Promise<(Result | null)[]> {
    try {
      return await this.database.transaction((tx) => this.together(tx, items), {
        lockTimeoutMs: LOCK_TIMEOUT_MS,
        since,
      });
    } catch (error) {
      // Retrying each change on its own connection would prevent the database from recovering.
      if (isConnectionLoss(error) || isPoolExhausted(error)) throw error;
      return items.map(() => null);
    }
  }
}
