import { cutText } from './visible-text.js';

/** Formats a value as indented JSON. Text that is not JSON remains unchanged. */
export function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    // Nested too deeply, or circular.
    return '…';
  }
}

/** Parses JSON; returns the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** JSON on one line for a list cell, truncated at 2 KB. */
export function shortJson(value: unknown): string {
  try {
    return cutText(JSON.stringify(value) ?? '', 2000);
  } catch {
    return '';
  }
}
