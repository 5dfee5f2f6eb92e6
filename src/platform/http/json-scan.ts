/** No body of the API nests deeper than ten levels; what is free (metadata) may go further. */
const MAX_DEPTH = 64;
/** The largest bodies of clients hold some hundred of both; parsing many more would stop all other work. */
export const MAX_VALUES = 20_000;
/** Each new name costs more than a value: it gets a hidden class, or a place in a hash table. */
export const MAX_KEYS = 3_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the string ends that begins before `from`. A search for each quote would be slow where many are escaped. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** What makes JSON in UTF-8 too costly to parse and to walk; null when nothing does, valid or not. */
export function scanJson(bytes: Buffer): string | null {
  let depth = 0;
  let values = 1;
  let keys = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (byte === COLON) keys++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) return `The body nests deeper than ${MAX_DEPTH} levels.`;
    if (values > MAX_VALUES) return `The body holds more than ${MAX_VALUES} values.`;
    if (keys > MAX_KEYS) return `The body holds more than ${MAX_KEYS} names.`;
  }
  return null;
}
