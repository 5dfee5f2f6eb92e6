import { type Cursor, cursorAt, type Place, unknownCursor } from './list-place.js';
import { type ApiRequest, wirePath } from '../pipeline/request.js';

export interface ListEnvelope<Item> {
  object: 'list';
  items: Item[];
  next_page: string | null;
  url: string;
}

/** A requested page: `limit` rows after the item with key or position `after` (null: from the start). */
export interface PageRequest {
  limit: number;
  after: Cursor | null;
}

function nextPagePath(request: ApiRequest, place: Place): string {
  const parameters = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
  parameters.delete('starting_after');
  const others = parameters.size > 0 ? `${parameters.toString()}&` : '';
  const path = wirePath(request);
  return `${path}?${others}starting_after=${cursorAt(path, place)}`;
}

/** Builds the envelope from up to `limit + 1` rows; the extra row only indicates a next page. */
export function listPage<Row, Item>(
  request: ApiRequest,
  page: PageRequest,
  rows: Row[],
  present: (row: Row) => Item,
  placeOf: (row: Row) => Place,
): ListEnvelope<Item> {
  const visible = rows.slice(0, page.limit);
  const last = visible.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return {
    object: 'list',
    items: visible.map(present),
    next_page: more ? nextPagePath(request, placeOf(last)) : null,
    url: wirePath(request),
  };
}

/** Returns one page plus one item, sorted by key. @throws ApiError 400 for a cursor of another list */
export function pageOfAll<Row>(
  all: readonly Row[],
  { after, limit }: PageRequest,
  keyOf: (row: Row) => string,
): Row[] {
  if (after === null) return all.slice(0, limit + 1);
  const key = after.placeBy([])?.[0] ?? all.map(keyOf).find((known) => after.keys.includes(known));
  if (key === undefined) throw unknownCursor(after);
  return all.filter((row) => keyOf(row) > key).slice(0, limit + 1);
}

export function completeList<Item>(request: ApiRequest, items: Item[]): ListEnvelope<Item> {
  return { object: 'list', items, next_page: null, url: wirePath(request) };
}

const EMBEDDED_ITEMS = 100;

/** A collection embedded in another object: its first 100 items; `next_page` points to the collection's own path. */
export function embeddedList<Row, Item>(
  url: string,
  rows: Row[],
  present: (row: Row) => Item,
  placeOf: (row: Row) => Place,
): ListEnvelope<Item> {
  const visible = rows.slice(0, EMBEDDED_ITEMS);
  const last = visible.at(-1);
  const more = rows.length > EMBEDDED_ITEMS && last !== undefined;
  return {
    object: 'list',
    items: visible.map(present),
    next_page: more ? `${url}?starting_after=${cursorAt(url, placeOf(last))}` : null,
    url,
  };
}
