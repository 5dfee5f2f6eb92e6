import type { QueryClient } from '@tanstack/react-query';
import { enterpriseQuery, organizationList } from '../api/organizations.queries.js';
import { itemsOf } from '../api/paging.js';

/** The organizations of the person, the first page of them; null on a server without the enterprise edition. */
export async function organizationChoices(
  queries: QueryClient,
): Promise<readonly { id: string; name: string }[] | null> {
  const enterprise = await queries.fetchQuery(enterpriseQuery);
  return enterprise && itemsOf(await queries.fetchInfiniteQuery(organizationList));
}
