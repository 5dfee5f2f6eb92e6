import { call } from '../api/client.js';
import { cursorOfNextPage } from '../api/paging.js';
import type { Page } from '../api/types.js';
import { csv } from '../ui/csv.js';
import { download } from '../ui/download.js';
import { jobs } from './jobs.js';

const MOST_ROWS = 100_000;

interface ListCsv<Item> {
  /** Of the file, without `.csv`. */
  name: string;
  header: readonly string[];
  row: (item: Item) => readonly (string | number | boolean | null | undefined)[];
  /** One call for up to 100 items. */
  page: (
    query: { limit: number; starting_after: string | undefined },
    signal: AbortSignal,
  ) => Parameters<typeof call<Page<Item>>>[0];
}

/** Follows a list to its end, in the job strip, and saves it as one file. Cancelling keeps nothing. */
export function saveListAsCsv<Item>({ name, header, row, page }: ListCsv<Item>): void {
  jobs.start({ name: `${name}.csv`, by: 'browser' }, async (job) => {
    const rows: ReturnType<typeof row>[] = [];
    let cursor: string | undefined;
    do {
      job.signal.throwIfAborted();
      const answer = await call(page({ limit: 100, starting_after: cursor }, job.signal));
      rows.push(...answer.items.map(row));
      job.report({ done: rows.length });
      cursor = cursorOfNextPage(answer);
    } while (cursor !== undefined && rows.length < MOST_ROWS);
    if (cursor !== undefined) job.report({ note: `Only the first ${MOST_ROWS.toLocaleString()} rows.` });
    download(`${name}.csv`, csv(header, rows), 'text/csv');
  });
}
