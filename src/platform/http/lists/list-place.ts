import { createHash } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';

/** The sort values of an item, its public key last. They never change, so the position stays valid after a deletion. */
export type Place = readonly [...(Date | number)[], string];

/** Types of the sort values before the key. */
export type PlaceKind = 'time' | 'number' | 'micros';

const MAX_TIME = 8.64e15;
const MAX_NUMBER = 2 ** 31 - 1;

export function placeByCreation({ createdAt, id }: { createdAt: Date; id: string }): Place {
  return [createdAt, id];
}

const CHECK_DIGITS = 6;

/**
 * Checksum that rejects guessed, damaged or foreign cursors. It is not a secret: a position only says where a page
 * starts.
 */
function checkOf(path: string, key: string, values: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([decoded(path), key, values]))
    .digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, CHECK_DIGITS);
}

/** Clients differ in what they escape in a path. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Some clients copy a cursor and escape it again, so characters allowed in a query (RFC 3986 3.4) are not escaped. */
function escaped(key: string): string {
  return encodeURIComponent(key)
    .replace(/%(?:24|3A|40|2F)/g, decodeURIComponent)
    .replaceAll("'", '%27');
}

/** The `next_page` cursor of the list at `path`: the key, a slash, the other values in base 36, and a checksum. */
export function cursorAt(path: string, place: Place): string {
  const key = place[place.length - 1] as string;
  const values = place.slice(0, -1).map((value) => Number(value).toString(36));
  return `${escaped(key)}/${[...values, checkOf(path, key, values.join('.'))].join('.')}`;
}

function readValue(text: string, kind: PlaceKind | undefined): Date | number | null {
  const value = /^-?[0-9a-z]{1,11}$/.test(text) ? parseInt(text, 36) : Infinity;
  if (kind === 'micros') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
  if (kind === 'number') return Math.abs(value) <= MAX_NUMBER ? value : null;
  return Math.abs(value) <= MAX_TIME ? new Date(value) : null;
}

/** `starting_after` of a request for the list at `path`. */
export class Cursor {
  constructor(
    readonly text: string,
    private readonly path: string,
  ) {}

  /** The position in a valid `next_page` cursor, which works even if its item is gone; otherwise null. */
  placeBy(kinds: readonly PlaceKind[]): Place | null {
    const slash = this.text.lastIndexOf('/');
    if (slash === -1) return null;
    const [key, texts] = [this.text.slice(0, slash), this.text.slice(slash + 1).split('.')];
    const check = texts.pop();
    const values = texts.map((text, index) => readValue(text, kinds[index]));
    if (values.length !== kinds.length || values.includes(null)) return null;
    return check === checkOf(this.path, key, texts.join('.'))
      ? [...(values as (Date | number)[]), key]
      : null;
  }

  /** Possible keys in the text: all of it, or the part before the other values of a cursor. */
  get keys(): string[] {
    const slash = this.text.lastIndexOf('/');
    return slash === -1 ? [this.text] : [this.text, this.text.slice(0, slash)];
  }
}

export function unknownCursor({ text }: Cursor): ApiError {
  return ApiError.parameter(
    'starting_after',
    `starting_after ${JSON.stringify(text)} is not an item of this list.`,
  );
}

/**
 * Returns the position after which a page starts; null for the first page. A `next_page` cursor contains it, even if
 * its item is gone; for the key of an item, `find` looks it up.
 * @throws ApiError 400 for a key that is not in the list
 */
export async function startOf(
  after: Cursor | null,
  kinds: readonly PlaceKind[],
  find: (key: string) => Promise<Place | null>,
): Promise<Place | null> {
  if (after === null) return null;
  const exact = after.placeBy(kinds);
  if (exact !== null) return exact;
  for (const key of after.keys) {
    const place = await find(key);
    if (place !== null) return place;
  }
  throw unknownCursor(after);
}
