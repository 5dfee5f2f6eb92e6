import { IdHashes } from '../customers/id-hashes.js';

type ListPage = (
  page: string | null,
) => Promise<{ items: readonly { id: string }[]; nextPage: string | null }>;

/** Ids of a list of customers, each once. Its order may change while it is walked; a walk that goes in circles ends. */
export async function* walkedIds(list: ListPage, warn: (message: string) => void): AsyncGenerator<string> {
  const seen = new IdHashes(null);
  /** Each page to the number of ids known when it was read: a second time must bring something new. */
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
