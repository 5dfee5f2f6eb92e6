import { withoutGuard } from '../../../ui/format/csv.js';
import type { PaywallDocument } from '../paywall.types.js';
import { isLocale } from './languages.js';
import { localesOf, textOf, textRowsOf, type TextRow } from './text-rows.js';

const MAX_CHARACTERS = 5000;

export interface TextChange extends TextRow {
  locale: string;
  /** Undefined if the language lacks the text. */
  before: string | undefined;
  after: string;
}

export interface TextsImport {
  changes: TextChange[];
  /** Languages that the paywall does not have yet. */
  newLocales: string[];
  /** Sentences about the parts of the file that are not used. */
  ignored: string[];
}

/** The file is not a table of texts. The message tells people why. */
export class UnusableFile extends Error {}

/** Spreadsheets separate by semicolons where the comma is the decimal separator. */
const delimiterOf = (content: string): string => /^\ufeff?"?id"?([,;\t])/.exec(content)?.[1] ?? ',';

async function tableOf(content: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    return parse(content, {
      bom: true,
      delimiter: delimiterOf(content),
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw new UnusableFile(`The file is not a CSV table. ${(error as Error).message}`, { cause: error });
  }
}

/** `de-DE` is what most programs write for `de_DE`. */
const localeOf = (heading: string): string | null => {
  const locale = heading.trim().replaceAll('-', '_');
  return isLocale(locale) ? locale : null;
};

/** Spreadsheets may write a line break as two characters, and `csv` guards formulas. */
function textOfCell(cell: string, before: string | undefined): string {
  const text = cell.replaceAll(/\r\n?/g, '\n');
  return text === before ? text : withoutGuard(text);
}

/** `\n` is the only control character that the server accepts. */
const isAccepted = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && !/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text);

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/**
 * Reads a CSV file and returns what it would change. Empty cells change nothing.
 *
 * @throws UnusableFile
 */
export async function readTexts(document: PaywallDocument, content: string): Promise<TextsImport> {
  const [header = [], ...lines] = await tableOf(content);
  const idColumn = header.findIndex((heading) => heading.trim().toLowerCase() === 'id');
  const columns = header.flatMap((heading, index) => {
    const locale = index === idColumn ? null : localeOf(heading);
    return locale === null ? [] : [{ index, locale }];
  });
  if (idColumn < 0) throw new UnusableFile('The file has no column “id” in its first line.');
  if (columns.length === 0)
    throw new UnusableFile('The file has no column of a language, such as en_US, in its first line.');

  const rows = new Map(textRowsOf(document).map((row) => [row.id, row]));
  const changes = new Map<string, TextChange>();
  const unknown = new Set<string>();
  let refused = 0;
  for (const line of lines) {
    // Ids may begin with a dash, which `csv` guards.
    const id = withoutGuard(line[idColumn] ?? '');
    const row = rows.get(id);
    if (!row) unknown.add(id);
    for (const { index, locale } of row ? columns : []) {
      const before = textOf(document, locale, row!.id);
      const after = textOfCell(line[index] ?? '', before);
      if (after === '' || after === before) continue;
      if (isAccepted(after)) changes.set(`${locale} ${row!.id}`, { ...row!, locale, before, after });
      else refused++;
    }
  }
  const known = new Set(localesOf(document));
  const found = [...changes.values()];
  return {
    changes: found,
    newLocales: [...new Set(found.map(({ locale }) => locale))].filter((locale) => !known.has(locale)),
    ignored: [
      ...(unknown.size > 0 ? [`${count(unknown.size, 'row is', 'rows are')} not in this paywall.`] : []),
      ...(refused > 0
        ? [
            `${count(refused, 'text has', 'texts have')} more than 5,000 characters, or characters that apps cannot show.`,
          ]
        : []),
    ],
  };
}

/** Returns the localizations after an import. */
export function withTexts(
  { components_localizations: localizations }: PaywallDocument,
  changes: readonly TextChange[],
): PaywallDocument['components_localizations'] {
  const next = { ...localizations };
  for (const { locale, id, after } of changes) next[locale] = { ...next[locale], [id]: after };
  return next;
}
