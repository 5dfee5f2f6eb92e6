import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { FileError } from './file-error.js';
import { textOf } from './text-file.js';

/** Longer rows come from an unclosed quote. */
const LONGEST_ROW = 16 * 1024 * 1024;
const LONGEST_HEADER = 64 * 1024;

export interface CsvRow {
  /** Line of the row's last character, starting at 1. */
  line: number;
  /** Keyed by column name in lower case. An empty field is null, and so is the text "null". */
  columns: Map<string, string>;
}

export interface CsvProblem {
  line: number;
  problem: string;
}

/** Returns the most frequent separator in the header row, outside quotes. */
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
 * Reads rows by the names in the header row. The separator is `,` `;` or tab, quotes follow RFC 4180, lines end in `
 * ` or `\r
 * `. A row with more or fewer fields than the header is a problem, because its values may be in the wrong columns.
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
    // Exports before template version 6 contain quotes inside unquoted fields.
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
    // Of two columns with the same name, the first with a value wins.
    if (value !== '' && value !== 'null' && value !== 'NULL' && !columns.has(name)) columns.set(name, value);
  });
  return columns;
}

/** @throws FileError unless the header contains at least one name from each list */
function requireColumns(file: string, header: string[], requires: string[][]): void {
  const missing = requires.filter((names) => !names.some((name) => header.includes(name)));
  if (missing.length === 0) return;
  const wanted = missing.map((names) => names.join(' or ')).join('; ');
  throw new FileError(
    `${file} lacks a column: ${wanted}. Its header row has: ${header.join(', ').slice(0, 500)}`,
  );
}

/** Returns the first of several columns that has a value. */
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
