import type { JsonValue } from '../../../libs/kernel/index.js';
import { type FieldChange, storableText } from './changed-fields.js';

/** Maximum characters of a text within a value. */
export const MAX_TEXT = 500;
/** Maximum characters of a value as JSON. */
export const MAX_VALUE = 2_000;
/** Maximum characters of all values of an entry as JSON, so that audit log rows stay small. */
export const MAX_CHANGES = 8_000;

export interface OldAndNew {
  old: JsonValue;
  new: JsonValue;
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Do not cut a surrogate pair in half.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, max)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

/** Normalizes like a URL parser, which drops line breaks and adds the slashes that `https:user@host` lacks. */
function normalizedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.host !== '' && (url.username || url.password) ? url.href : text;
}

/** Removes user info, query and fragment from each URL in the text, as they often contain credentials. */
function withoutUrlSecrets(text: string): string {
  // Parsers accept any number of slashes, including backslashes.
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

/** Returns the value as recorded: times in epoch ms; JSON that is too long is truncated. */
export function recordedValue(value: unknown): JsonValue {
  const short = shortened(value);
  const json = JSON.stringify(short);
  return json.length <= MAX_VALUE ? short : cut(json, MAX_VALUE);
}

/** Returns the values by path. Omits values that look the same before and after, and those that exceed the limit. */
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
