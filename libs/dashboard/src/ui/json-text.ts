import { cutText } from './visible-text.js';

/** A value as indented JSON; a text that is not JSON stays as it is. */
export function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    // Deeper than the stack, or it holds itself.
    return '…';
  }
}

/** The value that a text holds, or the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** JSON on one line for a cell of a list, cut at 2 KB. */
export function shortJson(value: unknown): string {
  try {
    return cutText(JSON.stringify(value) ?? '', 2000);
  } catch {
    return '';
  }
}
