export type CsvCell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';
/** A cell that a spreadsheet would run as a formula: texts come from outside. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of RFC 4180, with formulas made harmless. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(csvCell).join(',') + LINE_END;
}
