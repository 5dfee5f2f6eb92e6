import type { Client, RequestOptions } from './generated/client/index.js';
import { TenureError } from './tenure-error.js';

interface Page<Item> {
  items: Item[];
  next_page: string | null;
}

type Operation = (options: never) => Promise<{ data?: unknown }>;

type AnswerOf<Call extends Operation> = NonNullable<Awaited<ReturnType<Call>>['data']>;

/** The items of a list operation; never for other operations. */
export type ItemOf<Call extends Operation> = AnswerOf<Call> extends Page<infer Item> ? Item : never;

/** Options of a list operation. */
export type ListOptions<Call extends Operation> =
  AnswerOf<Call> extends Page<unknown> ? Parameters<Call>[0] & { client: Client } : never;

/** Options that apply to every page. The first page's path and query are in `next_page`. */
type SharedOptions = Omit<RequestOptions, 'body' | 'url'> & { client: Client };

/**
 * Iterates over the items of all pages of a list: `for await (const product of paginate(listProducts, { client, path }))`.
 * @throws TenureError also if a page leads to itself
 */
export async function* paginate<Call extends Operation>(
  operation: Call,
  options: ListOptions<Call>,
): AsyncGenerator<ItemOf<Call>, void, undefined> {
  type List = Page<ItemOf<Call>>;
  const call = operation as unknown as (options: object) => Promise<{ data: List }>;
  const { client, ...others } = options as SharedOptions;
  delete others.path;
  delete others.query;
  let { data: page } = await call({ ...(options as object), throwOnError: true });
  yield* page.items;
  for (let path = page.next_page; path !== null; path = page.next_page) {
    // As it is: a cursor that is decoded and encoded again can be another one.
    const answer = await client.get<List, unknown, true>({ ...others, url: path, throwOnError: true });
    page = answer.data;
    if (page.next_page === path) {
      const message = 'The server returned a page that leads to itself.';
      throw new TenureError({ status: null, type: 'pagination_error', message });
    }
    yield* page.items;
  }
}
