import { ApiError } from './api-error.js';

/** The sort values of an item, its public key last. None changes, so they hold its position even once deleted. */
export type Place = readonly [...(Date | number)[], string];

/** Types of the sort values before the key. */
export type PlaceKind = 'time' | 'number';

const MAX_TIME = 8.64e15;
const MAX_NUMBER = 2 ** 31 - 1;

export function placeByCreation({ createdAt, id }: { createdAt: Date; id: string }): Place {
  return [createdAt, id];
}

/** The cursor in `next_page`: the key, then, after a slash, the other values in base 36. */
export function cursorAt(place: Place): string {
  const values = place.slice(0, -1).map((value) => Number(value).toString(36));
  return `${encodeURIComponent(place[place.length - 1] as string)}/${values.join('.')}`;
}

function readValue(text: string, kind: PlaceKind | undefined): Date | number | null {
  const value = /^-?[0-9a-z]{1,11}$/.test(text) ? parseInt(text, 36) : Infinity;
  if (kind === 'number') return Math.abs(value) <= MAX_NUMBER ? value : null;
  return Math.abs(value) <= MAX_TIME ? new Date(value) : null;
}

export function readPlace(cursor: string, kinds: readonly PlaceKind[]): Place | null {
  const slash = cursor.lastIndexOf('/');
  if (slash === -1) return null;
  const texts = cursor.slice(slash + 1);
  const values = texts === '' ? [] : texts.split('.').map((text, index) => readValue(text, kinds[index]));
  if (values.length !== kinds.length || values.includes(null)) return null;
  return [...(values as (Date | number)[]), cursor.slice(0, slash)];
}

export function unknownCursor(after: string): ApiError {
  return ApiError.parameter(
    'starting_after',
    `starting_after ${JSON.stringify(after)} is not an item of this list.`,
  );
}

/**
 * The position after which a page begins; null: at the start. A `next_page` cursor holds it, even if its item is
 * gone; for the key of an item, `find` looks it up.
 * @throws ApiError 400 for a key that is not in the list
 */
export async function startOf(
  after: string | null,
  kinds: readonly PlaceKind[],
  find: (key: string) => Promise<Place | null>,
): Promise<Place | null> {
  if (after === null) return null;
  const place = readPlace(after, kinds) ?? (await find(after));
  if (place === null) throw unknownCursor(after);
  return place;
}
