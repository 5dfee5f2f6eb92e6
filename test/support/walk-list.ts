import type { Answer, ApiClient, Json } from './api-client.js';

/** All items of a list, fetched `limit` at a time by following `next_page`. */
export async function walkList(client: ApiClient, path: string, limit: number): Promise<Json[]> {
  const items: Json[] = [];
  let next: string | null = `${path}?limit=${limit}`;
  while (next !== null) {
    const { body }: Answer = await client.get(next);
    items.push(...body.items);
    next = body.next_page;
  }
  return items;
}
