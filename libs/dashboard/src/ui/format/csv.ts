const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Adds an apostrophe to cells that a spreadsheet would run as a formula. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophe that `csv` adds. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;

/** A time as files have it; nothing for null. */
export const isoTime = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

type Row = readonly (string | number | boolean | null | undefined)[];

/** Builds CSV (RFC 4180) with a byte order mark, so that spreadsheets read it as UTF-8. */
export const csv = (header: readonly string[], rows: Iterable<Row>): string =>
  `\ufeff${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
