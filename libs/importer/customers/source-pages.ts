import type { Runtime } from '../command/runtime.js';
import type { SourceApi } from '../source/source-api.js';
import type { SourceCustomer } from '../source/source.model.js';
import { buildCustomer, type ItemContext } from './build-customer.js';
import { concurrently } from './concurrently.js';
import type { CustomerReader } from './customer-reader.js';
import { IdHashes } from './id-hashes.js';
import type { CustomerPage } from './page.js';

const MAX_LIST = 100;

export interface SourcePagesOptions {
  source: SourceApi;
  project: string;
  reader: CustomerReader;
  context: ItemContext;
  /** Ids read in this pass. */
  read: IdHashes;
  pageSize: number;
  concurrency: number;
  clock: Runtime['clock'];
  /** Returns how many more customers may be read. */
  remaining(): number;
  warn(message: string): void;
}

/** Reads the source's customers in pages, from its list or by id. */
export class SourcePages {
  constructor(private readonly options: SourcePagesOptions) {}

  /**
   * Reads the source's list from a page on. The list is ordered by activity, so a customer can appear twice but is read
   * once.
   */
  async *ofList(from: string | null): AsyncGenerator<CustomerPage> {
    const { source, project, pageSize, read } = this.options;
    for await (const { items, next } of this.walk(
      (page) => source.customersPage(project, page, pageSize),
      from,
    )) {
      const fresh = new Map(items.filter(({ id }) => !read.has(id)).map((listed) => [listed.id, listed]));
      yield { ...(await this.page([...fresh].map(([id, listed]) => ({ id, listed })))), next };
    }
  }

  /** Reads customers by id, skipping those already read in this pass. */
  async *ofIds(ids: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CustomerPage> {
    let batch = new Set<string>();
    for await (const id of ids) {
      if (this.options.read.has(id)) continue;
      batch.add(id);
      if (batch.size < this.options.pageSize) continue;
      yield this.page([...batch].map((each) => ({ id: each, listed: null })));
      batch = new Set();
    }
    if (batch.size > 0) yield this.page([...batch].map((id) => ({ id, listed: null })));
  }

  /** Lists the ids again, without details, to find customers that moved in the list while it was read. */
  async *missedIds(): AsyncGenerator<string> {
    const { source, project, read } = this.options;
    for await (const { items } of this.walk((page) => source.customersPage(project, page, MAX_LIST), null)) {
      for (const { id } of items) if (!read.has(id)) yield id;
    }
  }

  private async *walk(
    list: (page: string | null) => Promise<{ items: SourceCustomer[]; nextPage: string | null }>,
    from: string | null,
  ): AsyncGenerator<{ items: SourceCustomer[]; next: string | null }> {
    /** Number of ids known when each page was read. Reading a page again must yield something new. */
    const walked = new Map<string | null, number>();
    const seen = new IdHashes(null);
    for (let page = from; ;) {
      const { items, nextPage } = await list(page);
      walked.set(page, seen.size);
      for (const { id } of items) seen.add(id);
      yield { items, next: nextPage };
      if (nextPage === null) return;
      if (walked.get(nextPage) === seen.size) {
        this.options.warn("The source's customer list names a page twice; its walk stops there.");
        return;
      }
      page = nextPage;
    }
  }

  private async page(wanted: { id: string; listed: SourceCustomer | null }[]): Promise<CustomerPage> {
    const { reader, context, concurrency, clock } = this.options;
    const asOf = clock.nowMs();
    const allowed = wanted.slice(0, this.options.remaining());
    const details = await concurrently(allowed, concurrency, ({ id, listed }) => reader.read(id, listed));
    const found = details.filter((each) => each !== null);
    return {
      customers: found.map((each) => buildCustomer(each, context)),
      gone: details.length - found.length,
      asOf,
      next: null,
      done: allowed.map(({ id }) => id),
    };
  }
}
