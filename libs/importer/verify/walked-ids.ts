import { IdHashes } from '../customers/id-hashes.js';

type ListPage = (
  page: string | null,
) => Promise<{ items: readonly { id: string }[]; nextPage: string | null }>;

/**
 * The ids in a list of customers, each once. The order may change while the list is read; a walk that goes in circles
 * ends.
 */
export async function* walkedIds(list: ListPage, warn: (message: string) => void): AsyncGenerator<string> {
  const seen = new IdHashes(null);
  /** Number of ids known when each page was read. Reading a page again must yield something new. */
  const walked = new Map<string | null, number>();
  for (let page: string | null = null; ;) {
    const { items, nextPage } = await list(page);
    walked.set(page, seen.size);
    for (const { id } of items) if (seen.add(id)) yield id;
    if (nextPage === null) return;
    if (walked.get(nextPage) === seen.size) {
      warn('The list of customers names a page twice; its walk stops there.');
      return;
    }
    page = nextPage;
  }
}
