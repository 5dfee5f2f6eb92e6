import { ApiError } from './api-error.js';

/**
 * What an item of a list is sorted by; the last value is its key, as clients see it. None of them changes, so that
 * they tell the place of an item that is gone.
 */
export type Place = readonly [...(Date | number)[], string];

/** What a list is sorted by before the key. */
export type PlaceKind = 'time' | 'number';

const MAX_TIME = 8.64e15;
const MAX_NUMBER = 2 ** 31 - 1;

/** Of what is listed by creation. */
export function placeByCreation({ createdAt, id }: { createdAt: Date; id: string }): Place {
  return [createdAt, id];
}

/** A place as `next_page` has it: the key, and behind a slash the other values in base 36. */
export function cursorAt(place: Place): string {
  const values = place.slice(0, -1).map((value) => Number(value).toString(36));
  return `${encodeURIComponent(place[place.length - 1] as string)}/${values.join('.')}`;
}

function readValue(text: string, kind: PlaceKind | undefined): Date | number | null {
  const value = /^-?[0-9a-z]{1,11}$/.test(text) ? parseInt(text, 36) : Infinity;
  if (kind === 'number') return Math.abs(value) <= MAX_NUMBER ? value : null;
  return Math.abs(value) <= MAX_TIME ? new Date(value) : null;
}

/** The place in a cursor of a list that is sorted by `kinds` and the key; null for what is none. */
export function readPlace(cursor: string, kinds: readonly PlaceKind[]): Place | null {
  const slash = cursor.lastIndexOf('/');
  if (slash === -1) return null;
  const texts = cursor.slice(slash + 1);
  const values = texts === '' ? [] : texts.split('.').map((text, index) => readValue(text, kinds[index]));
  if (values.length !== kinds.length || values.includes(null)) return null;
  return [...(values as (Date | number)[]), cursor.slice(0, slash)];
}

/** The error of a `starting_after` that is no item of the list. */
export function unknownCursor(after: string): ApiError {
  return ApiError.parameter(
    'starting_after',
    `starting_after ${JSON.stringify(after)} is no item of this list.`,
  );
}

/**
 * Behind which place a page begins; null: at the start. A cursor of `next_page` tells it by itself, whatever became of
 * the item; the key of an item is looked up by `find`.
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
