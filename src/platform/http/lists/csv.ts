import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { ApiRequest } from '../pipeline/request.js';

export const CSV = 'text/csv';

export type CsvCell = string | number | boolean | null | undefined;

/** Cells that a spreadsheet would run as a formula; the text may come from anyone. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Prevents a spreadsheet from running a text as a formula. */
export function guardedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  return quoted(typeof cell === 'string' ? guardedText(cell) : String(cell));
}

/** Formats a line of RFC 4180, with formulas made harmless. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Formats a line for warehouses: it ends with LF, and only null is an empty cell without quotes. */
export function plainCsvLine(cells: readonly (string | null)[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) {
    if (index > 0) line += ',';
    if (cell !== null) line += cell === '' ? '""' : quoted(cell);
  }
  return `${line}\n`;
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
