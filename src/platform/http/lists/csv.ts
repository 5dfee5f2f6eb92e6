import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { ApiRequest } from '../pipeline/request.js';

export const CSV = 'text/csv';

export type CsvCell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';
/** Cells that a spreadsheet would run as a formula; the text may come from anyone. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a line of RFC 4180, with formulas made harmless. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(csvCell).join(',') + LINE_END;
}

/** Whether a caller requests CSV, by the parameter `format` or the first accepted type. */
export function wantsCsv(request: ApiRequest, format: 'json' | 'csv'): boolean {
  return format === 'csv' || Boolean((request.headers.accept ?? '').split(',')[0]?.startsWith(CSV));
}

/** Streams lines, or UTF-8 text of several, as a file while they are generated. */
export async function sendCsv(
  response: Response,
  name: string,
  lines: Iterable<string> | AsyncIterable<string | Buffer>,
): Promise<void> {
  response.setHeader('Content-Type', `${CSV}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  await pipeline(Readable.from(lines), response);
}
