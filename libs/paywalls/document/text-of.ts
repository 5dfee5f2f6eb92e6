import type { JsonValue } from '../../kernel/index.js';

/** A value that the schema requires to be a text. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
