import type { JsonValue } from '../../../libs/kernel/index.js';
import { type FieldChange, storableText } from './changed-fields.js';

/** Characters of a text within a value. */
export const MAX_TEXT = 500;
/** Characters of a value as JSON. */
export const MAX_VALUE = 2_000;
/** Characters of all values of an entry as JSON: a row of the audit log stays small. */
export const MAX_CHANGES = 8_000;

export interface OldAndNew {
  old: JsonValue;
  new: JsonValue;
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // A pair of surrogates stays whole.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, max)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

/** As a parser writes it: it drops line breaks, and adds slashes that `https:user@host` lacks. */
function normalizedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.host !== '' && (url.username || url.password) ? url.href : text;
}

/** Without user info, query and fragment of each URL in the text, as they often hold credentials. */
function withoutUrlSecrets(text: string): string {
  // Parsers take any number of slashes, and backslashes too.
  return normalizedUrl(text).replace(/:[\\/]\S*/g, (rest) =>
    rest.replace(/[?#].*$/, '').replace(/(:[\\/]+)[^\\/]*@/g, '$1'),
  );
}

function shortened(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return cut(withoutUrlSecrets(storableText(value)), MAX_TEXT);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [storableText(name), shortened(item)]),
    );
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** As the audit log shows it: times in epoch ms; a value that is too long becomes the beginning of its JSON. */
export function recordedValue(value: unknown): JsonValue {
  const short = shortened(value);
  const json = JSON.stringify(short);
  return json.length <= MAX_VALUE ? short : cut(json, MAX_VALUE);
}

/** By path. Leaves out what looks the same before and after, and what no longer fits. */
export function recordedValues(changes: readonly FieldChange[]): Map<string, OldAndNew> {
  const recorded = new Map<string, OldAndNew>();
  let length = 2;
  for (const change of changes) {
    const values = { old: recordedValue(change.old), new: recordedValue(change.new) };
    if (JSON.stringify(values.old) === JSON.stringify(values.new)) continue;
    const more = JSON.stringify({ [change.path]: values }).length;
    if (length + more > MAX_CHANGES) continue;
    recorded.set(change.path, values);
    length += more;
  }
  return recorded;
}
