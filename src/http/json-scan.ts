import { MAX_DEPTH } from './body-shape.js';

/** A receipt has some hundred; parsing more than this would stop all other work for longer than a few ms. */
export const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the string ends that begins before `from`. */
function endOfString(bytes: Buffer, from: number): number {
  for (;;) {
    const end = bytes.indexOf(QUOTE, from);
    if (end === -1) return bytes.length;
    let before = end;
    while (before > from && bytes[before - 1] === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
    from = end + 1;
  }
}

/**
 * What makes JSON in UTF-8 too costly to parse; null when nothing does, valid or not. Long strings cost next to nothing.
 */
export function scanJson(bytes: Buffer): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) return `The body nests deeper than ${MAX_DEPTH} levels.`;
    if (values > MAX_VALUES) return `The body holds more than ${MAX_VALUES} values.`;
  }
  return null;
}
