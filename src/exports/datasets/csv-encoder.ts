import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { guardedText, plainCsvLine } from '../../platform/http/lists/csv.js';
import { cellTexts } from './cell-texts.js';
import type { Dataset, DatasetColumn, Value } from './dataset.model.js';

export interface CsvOptions {
  /** Puts an apostrophe before text that a spreadsheet would run as a formula. */
  isSpreadsheetSafe: boolean;
}

/** Lines are compressed in parts of about this many characters. */
const PART = 64 * 1024;
const GZIP = { level: 6, chunkSize: 64 * 1024 };

/** The lines of a data set, header first, in parts. */
export async function* csvTexts(
  batches: AsyncIterable<Value[][]>,
  { columns }: Dataset,
  { isSpreadsheetSafe }: CsvOptions,
): AsyncGenerator<string> {
  const texts = columns.map(({ type }: DatasetColumn) =>
    type === 'text' && isSpreadsheetSafe ? guardedText : cellTexts[type],
  );
  yield plainCsvLine(columns.map(({ name }) => name));
  for await (const rows of batches) {
    let part = '';
    for (const row of rows) {
      part += plainCsvLine(
        row.map((value, index) => value && (texts[index] as (value: string) => string)(value)),
      );
      if (part.length < PART) continue;
      yield part;
      part = '';
    }
    if (part !== '') yield part;
  }
}

/** The file of a data set: CSV in gzip. Node.js writes neither time nor name, so equal rows produce equal bytes. */
export async function* encodeCsv(
  batches: AsyncIterable<Value[][]>,
  dataset: Dataset,
  options: CsvOptions,
): AsyncGenerator<Buffer> {
  const gzip = createGzip(GZIP);
  // An error of the rows also ends the loop below, which reports it.
  const written = pipeline(Readable.from(csvTexts(batches, dataset, options)), gzip).catch(() => undefined);
  for await (const bytes of gzip) yield bytes as Buffer;
  await written;
}
