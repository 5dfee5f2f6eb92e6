/** A cell that a spreadsheet would run as a formula is made text by an apostrophe. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = readonly (string | number | boolean | null | undefined)[];

/** A CSV text with a byte order mark, so that spreadsheets read it as UTF-8 (RFC 4180 otherwise). */
export const csv = (header: readonly string[], rows: Iterable<Row>): string =>
  `\ufeff${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
