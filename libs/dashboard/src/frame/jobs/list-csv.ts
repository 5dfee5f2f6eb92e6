import { pagesOf, type ReadPage } from '../../api/paging.js';
import { downloadCsv } from '../../ui/format/download.js';
import { jobs } from './jobs.js';

const MOST_ROWS = 100_000;

interface ListCsv<Item> {
  /** File name without `.csv`. */
  name: string;
  header: readonly string[];
  row: (item: Item) => readonly (string | number | boolean | null | undefined)[];
  /** Reads up to 100 items per call. */
  page: ReadPage<Item>;
}

/** Reads a whole list in the job strip and saves it as one file. Cancelling saves nothing. */
export function saveListAsCsv<Item>({ name, header, row, page }: ListCsv<Item>): void {
  jobs.start({ name: `${name}.csv`, by: 'browser' }, async (job) => {
    const rows: ReturnType<typeof row>[] = [];
    const cutOff: [string][] = [];
    for await (const items of pagesOf(page, job.signal)) {
      if (rows.length >= MOST_ROWS) {
        const note = `Only the first ${MOST_ROWS.toLocaleString()} rows.`;
        job.report({ note });
        cutOff.push([note]);
        break;
      }
      rows.push(...items.map(row));
      job.report({ done: rows.length });
    }
    job.report({ total: rows.length });
    downloadCsv(`${name}.csv`, header, [...rows, ...cutOff]);
  });
}
