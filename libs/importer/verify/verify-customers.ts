import type { Runtime } from '../command/runtime.js';
import { concurrently } from '../customers/concurrently.js';
import type { Checked, CustomerChecker, ListedId } from './customer-checker.js';
import type { VerifyTally } from './verify-tally.js';

const BATCH = 100;
/** A customer who buys during the comparison is equal on both sides a little later. */
const RECHECK_AFTER_MS = 5_000;

export interface VerifyCustomersOptions {
  checker: Pick<CustomerChecker, 'check'>;
  tally: VerifyTally;
  runtime: Pick<Runtime, 'clock' | 'sleep'>;
  concurrency: number;
  stop: AbortSignal;
}

/** Compares customers, and checks those that differ again at least five seconds later. */
export class VerifyCustomers {
  private waiting: { listed: ListedId; atMs: number }[] = [];

  constructor(private readonly options: VerifyCustomersOptions) {}

  async run(ids: AsyncIterable<ListedId> | Iterable<ListedId>): Promise<void> {
    let batch: ListedId[] = [];
    for await (const listed of ids) {
      batch.push(listed);
      if (batch.length < BATCH) continue;
      await this.compare(batch);
      await this.recheckDue();
      batch = [];
    }
    await this.compare(batch);
    await this.recheckAll();
  }

  private async compare(batch: ListedId[]): Promise<void> {
    const { tally, runtime } = this.options;
    const results = await this.check(batch);
    results.forEach((checked, index) => {
      tally.addChecked((batch[index] as ListedId).id, checked);
      const differs = checked.differences.some(({ type }) => type !== 'only_in_target');
      if (differs) this.waiting.push({ listed: batch[index] as ListedId, atMs: runtime.clock.nowMs() });
      else tally.addDifferences(checked.differences);
    });
  }

  private async recheckDue(): Promise<void> {
    const dueAt = this.options.runtime.clock.nowMs() - RECHECK_AFTER_MS;
    const due = this.waiting.filter(({ atMs }) => atMs <= dueAt);
    this.waiting = this.waiting.filter(({ atMs }) => atMs > dueAt);
    await this.recheck(due.map(({ listed }) => listed));
  }

  private async recheckAll(): Promise<void> {
    const last = this.waiting.at(-1);
    if (!last) return;
    const { runtime, stop } = this.options;
    const leftMs = last.atMs + RECHECK_AFTER_MS - runtime.clock.nowMs();
    if (leftMs > 0) await runtime.sleep(leftMs, stop);
    const rest = this.waiting.map(({ listed }) => listed);
    this.waiting = [];
    await this.recheck(rest);
  }

  private async recheck(ids: ListedId[]): Promise<void> {
    for (const { differences } of await this.check(ids)) this.options.tally.addDifferences(differences);
  }

  private check(ids: ListedId[]): Promise<Checked[]> {
    return concurrently(ids, this.options.concurrency, (each) => this.options.checker.check(each));
  }
}
