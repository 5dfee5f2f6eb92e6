import { csvLine } from '../../platform/http/lists/csv.js';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type ExportCell = string | number | boolean | null;
export type ExportRow = Readonly<Record<string, ExportCell>>;

/** The header of a JSON file. CSV files have only rows. */
export interface ExportHead {
  kind: string;
  organization: { id: string; name: string };
  generatedAt: Date;
  startTime: Date | null;
  endTime: Date | null;
}

export interface ExportContent {
  head: ExportHead;
  /** Column names, in the order of the file. */
  columns: readonly string[];
  batches: AsyncIterable<readonly ExportRow[]>;
}

/** RFC 4180, with formulas neutralized. */
async function* csv({ columns, batches }: ExportContent): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const rows of batches)
    yield rows.map((row) => csvLine(columns.map((name) => row[name]))).join('');
}

/** One object with a row on each line, so that text tools can read it too. */
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

/** The file's text, in parts. The same rows always produce the same text. */
export const exportText: Record<ExportFormat, (content: ExportContent) => AsyncGenerator<string>> = {
  csv,
  json,
};
