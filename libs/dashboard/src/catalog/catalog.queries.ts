import { queryOptions, type QueryKey } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { cursorOfNextPage } from '../api/paging.js';
import type { Page } from '../api/types.js';

/** Above this a choice or a matrix is cut. */
const MOST = 1000;

/** Everything of the catalog hangs together: what changes one object shows on the pages of others. */
export const catalogKey = (projectId: string, ...rest: unknown[]): QueryKey => [
  projectId,
  'catalog',
  ...rest,
];

/** The queries that a change of the catalog makes stale; the set-up page looks at the catalog, too. */
export const staleCatalog = (projectId: string): QueryKey[] => [
  catalogKey(projectId),
  [projectId, 'catalog-of-setup'],
];

/** The items of a whole list. */
export async function allItems<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    items.push(...page.items);
    cursor = cursorOfNextPage(page);
  } while (cursor !== undefined && items.length < MOST);
  return items;
}

export const appsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', 'of-catalog'],
    queryFn: ({ signal }) =>
      allItems((cursor) =>
        call(
          api.GET('/v2/projects/{project_id}/apps', {
            params: { path: { project_id: projectId }, query: { limit: 100, starting_after: cursor } },
            signal,
          }),
        ),
      ),
  });
