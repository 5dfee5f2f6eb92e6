import { jest } from '@jest/globals';
import type { Client } from './generated/client/index.js';
import { paginate } from './paginate.js';

interface Page {
  items: number[];
  next_page: string | null;
}

interface ListCall {
  client: Client;
  path: { project_id: string };
  query?: { limit: number };
  headers?: Record<string, string>;
}

/** A list operation and a client that return these pages in turn. */
function pages(first: Page, ...others: Page[]) {
  const get = jest.fn<(options: object) => Promise<{ data: Page | undefined }>>(() =>
    Promise.resolve({ data: others.shift() }),
  );
  const client = { get } as unknown as Client;
  const list = jest.fn<(options: ListCall) => Promise<{ data: Page }>>(() =>
    Promise.resolve({ data: first }),
  );
  return { get, client, list };
}

async function itemsOf(list: AsyncIterable<number>): Promise<number[]> {
  const items: number[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const path = { project_id: 'p' };

describe('paginate', () => {
  it('follows next_page as it is, with the other options of the call', async () => {
    const next = '/v2/projects/p/products?limit=2&starting_after=a%2Bb%2520%7Bc%7D';
    const { get, client, list } = pages({ items: [1, 2], next_page: next }, { items: [3], next_page: null });
    const headers = { 'x-team': 'billing' };
    expect(await itemsOf(paginate(list, { client, path, query: { limit: 2 }, headers }))).toEqual([1, 2, 3]);
    expect(list.mock.calls).toEqual([[{ client, path, query: { limit: 2 }, headers, throwOnError: true }]]);
    expect(get.mock.calls).toEqual([[{ headers, url: next, throwOnError: true }]]);
  });

  it('ends without another request if there is one page, or if the caller stops', async () => {
    const one = pages({ items: [1], next_page: null });
    expect(await itemsOf(paginate(one.list, { client: one.client, path }))).toEqual([1]);
    const many = pages({ items: [1, 2], next_page: '/next' });
    for await (const item of paginate(many.list, { client: many.client, path })) if (item === 1) break;
    expect([one.get, many.get].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it('passes pages without items', async () => {
    const { client, list } = pages({ items: [], next_page: '/next' }, { items: [1], next_page: null });
    expect(await itemsOf(paginate(list, { client, path }))).toEqual([1]);
  });

  it('throws if a page leads to itself', async () => {
    const { client, list } = pages({ items: [1], next_page: '/next' }, { items: [2], next_page: '/next' });
    await expect(itemsOf(paginate(list, { client, path }))).rejects.toMatchObject({
      name: 'TenureError',
      type: 'pagination_error',
    });
  });
});
