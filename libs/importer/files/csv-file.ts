import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FileError } from './file-error.js';
import { textOf } from './text-file.js';

/** Longer rows come from a quote that is never closed. */
const LONGEST_ROW = 16 * 1024 * 1024;
const LONGEST_HEADER = 64 * 1024;

export interface CsvRow {
  /** Of the row's last character, from 1. */
  line: number;
  /** By the column's name in lower case. An empty field is null, and so is one that says null. */
  columns: Map<string, string>;
}

export interface CsvProblem {
  line: number;
  problem: string;
}

/** The separator that occurs most often in the header row, outside quotes. */
export function separatorOf(header: string): ',' | ';' | '\t' {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: string) => bare.split(separator).length;
  return ([',', ';', '\t'] as const).reduce((best, next) => (count(next) > count(best) ? next : best));
}

async function* textFrom(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/**
 * Rows by the names in the header row: separator `,` `;` or tab, quotes as in RFC 4180, lines ending in `\n` or `\r\n`.
 * A row with more or fewer fields than the header is a problem, because its values may stand under the wrong names.
 */
export async function* csvRows(
  file: string,
  { requires = [] as string[][] } = {},
): AsyncGenerator<CsvRow | CsvProblem> {
  const pieces = textOf(file);
  let start = '';
  while (!start.includes('\n') && start.length < LONGEST_HEADER) {
    const next = await pieces.next();
    if (next.done) break;
    start += next.value;
  }
  const parser = parse({
    delimiter: separatorOf(start.split('\n', 1)[0] ?? ''),
    relax_column_count: true,
    // Exports before template version 6 write quotes inside unquoted fields.
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: LONGEST_ROW,
  });
  const records = Readable.from(textFrom(start, pieces)).on('error', (error) => parser.destroy(error));
  records.pipe(parser);
  let header: string[] | null = null;
  try {
    for await (const item of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const { record, info } = item;
      if (header === null) {
        header = record.map((name) => name.trim().toLowerCase());
        requireColumns(file, header, requires);
      } else if (record.length === header.length) {
        yield { line: info.lines, columns: columnsOf(header, record) };
      } else {
        yield {
          line: info.lines,
          problem: `has ${record.length} fields, but the header has ${header.length}`,
        };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? ` at line ${error.lines}` : '';
    throw new FileError(`${file} is not valid CSV${line}: a quote is not closed, or the row is too long.`);
  } finally {
    records.destroy();
    parser.destroy();
  }
  if (header === null) throw new FileError(`${file} is empty: it has no header row.`);
}

function columnsOf(header: string[], record: string[]): Map<string, string> {
  const columns = new Map<string, string>();
  record.forEach((value, index) => {
    const name = header[index] as string;
    // Of two columns with one name the first that has a value.
    if (value !== '' && value !== 'null' && value !== 'NULL' && !columns.has(name)) columns.set(name, value);
  });
  return columns;
}

/** @throws FileError unless of each list of names one is in the header */
function requireColumns(file: string, header: string[], requires: string[][]): void {
  const missing = requires.filter((names) => !names.some((name) => header.includes(name)));
  if (missing.length === 0) return;
  const wanted = missing.map((names) => names.join(' or ')).join('; ');
  throw new FileError(
    `${file} lacks a column: ${wanted}. Its header row has: ${header.join(', ').slice(0, 500)}`,
  );
}

/** The first of several names that has a value. */
export function valueOf(row: CsvRow, names: readonly string[]): string | null {
  for (const name of names) {
    const value = row.columns.get(name);
    if (value !== undefined) return value;
  }
  return null;
}

export function isProblem(row: CsvRow | CsvProblem): row is CsvProblem {
  return 'problem' in row;
}
