import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { call, type Outcome } from './client.js';
import type { Page } from './types.js';

const PAGE_SIZE = 50;

/** The page of a list to read. */
export interface PageQuery {
  limit: number;
  starting_after: string | undefined;
}

/** Reads one page of a list. */
export type ReadPage<Item> = (page: PageQuery, signal: AbortSignal) => Promise<Outcome<Page<Item>>>;

/** Returns the `starting_after` of the next page; undefined after the last. */
export function cursorOfNextPage({ next_page: next }: Pick<Page<unknown>, 'next_page'>): string | undefined {
  if (next === null) return undefined;
  return new URLSearchParams(next.slice(next.indexOf('?'))).get('starting_after') ?? undefined;
}

/** The items of all loaded pages. */
export const itemsOf = <Item>(data: { pages: Page<Item>[] } | undefined): Item[] =>
  data?.pages.flatMap(({ items }) => items) ?? [];

/** Yields the items of a list from the start, page by page. */
export async function* pagesOf<Item>(read: ReadPage<Item>, signal: AbortSignal): AsyncGenerator<Item[]> {
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await call(read({ limit: 100, starting_after: cursor }, signal));
    yield page.items;
    cursor = cursorOfNextPage(page);
  } while (cursor !== undefined);
}

/** Reads a whole list for selects and tables, up to 1,000 items. */
export async function allItems<Item>(read: ReadPage<Item>, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(read, signal)) {
    items.push(...page);
    if (items.length >= 1000) break;
  }
  return items;
}

/**
 * Reads a list page by page. With `pollMs`, all loaded pages are refetched at this interval, multiplied by their
 * number.
 */
export const pagedQuery = <Item>(
  queryKey: QueryKey,
  read: ReadPage<Item>,
  pollMs?: (loaded: Item[]) => number | false,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => call(read({ limit: PAGE_SIZE, starting_after: pageParam }, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: cursorOfNextPage,
    refetchInterval: ({ state: { data } }) => {
      const every = pollMs?.(itemsOf(data)) ?? false;
      return every && every * (data?.pages.length ?? 1);
    },
  });
