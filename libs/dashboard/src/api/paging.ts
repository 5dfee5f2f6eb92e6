import type { Page } from './types.js';

export const PAGE_SIZE = 50;

/** Where the next page starts, for `infiniteQueryOptions`; undefined after the last. */
export function cursorOfNextPage({ next_page: next }: Pick<Page<unknown>, 'next_page'>): string | undefined {
  if (next === null) return undefined;
  return new URLSearchParams(next.slice(next.indexOf('?'))).get('starting_after') ?? undefined;
}

/** The items of all loaded pages. */
export const itemsOf = <Item>(data: { pages: Page<Item>[] } | undefined): Item[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];
