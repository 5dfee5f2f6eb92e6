export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type ExportCell = string | number | boolean | null;
export type ExportRow = Readonly<Record<string, ExportCell>>;

/** What is said once, above the rows of a JSON file; a CSV file has only rows. */
export interface ExportHead {
  kind: string;
  organization: { id: string; name: string };
  generatedAt: Date;
  startTime: Date | null;
  endTime: Date | null;
}

export interface ExportContent {
  head: ExportHead;
  /** Names of the cells, in the order of the file. */
  columns: readonly string[];
  batches: AsyncIterable<readonly ExportRow[]>;
}

/** Spreadsheets run cells that begin like this as formulas. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
const END_OF_LINE = '\r\n';

function csvCell(cell: ExportCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  const text = String(cell);
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180, with formulas made harmless. */
async function* csv({ columns, batches }: ExportContent): AsyncGenerator<string> {
  yield columns.join(',') + END_OF_LINE;
  for await (const rows of batches)
    yield rows.map((row) => columns.map((name) => csvCell(row[name])).join(',') + END_OF_LINE).join('');
}

/** One object; each row is a line, so that tools for text can read it too. */
async function* json({ head, columns, batches }: ExportContent): AsyncGenerator<string> {
  const { kind, organization, generatedAt, startTime, endTime } = head;
  const opening = {
    object: 'compliance_export',
    kind,
    organization: { id: organization.id, name: organization.name },
    generated_at: generatedAt.getTime(),
    start_time: startTime?.getTime() ?? null,
    end_time: endTime?.getTime() ?? null,
  };
  yield `${JSON.stringify(opening).slice(0, -1)},"rows":[`;
  let separator = '\n';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    const ordered = rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
    yield separator + ordered.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The text of the file, in parts. The same rows always make the same text. */
export const exportText: Record<ExportFormat, (content: ExportContent) => AsyncGenerator<string>> = {
  csv,
  json,
};
