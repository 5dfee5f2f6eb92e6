/** API bodies nest at most ten levels; free-form metadata may be deeper. */
const MAX_DEPTH = 64;
/** Large client bodies have a few hundred keys and values. Parsing many more would block all other work. */
export const MAX_VALUES = 20_000;
/** A new name costs more than a value: it needs a hidden class or a hash table entry. */
export const MAX_KEYS = 3_000;

export interface ScanLimits {
  values: number;
  keys: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The string starts before `from`. Searching from quote to quote would be slow if many quotes are escaped. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The reason why UTF-8 JSON, valid or not, would be too costly to parse; null if it is not. */
export function scanJson(
  bytes: Buffer,
  { values: maxValues, keys: maxKeys }: ScanLimits = { values: MAX_VALUES, keys: MAX_KEYS },
): string | null {
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
    if (values > maxValues) return `The body holds more than ${maxValues} values.`;
    if (keys > maxKeys) return `The body holds more than ${maxKeys} names.`;
  }
  return null;
}

/**
 * Parses JSON from an untrusted source: a body, a token, a part of a message.
 * @throws SyntaxError if it is not JSON, or too costly to parse
 */
export function parseJson(text: string | Buffer, limits?: ScanLimits): unknown {
  const problem = scanJson(typeof text === 'string' ? Buffer.from(text) : text, limits);
  if (problem !== null) throw new SyntaxError(problem);
  return JSON.parse(text.toString('utf8'));
}
