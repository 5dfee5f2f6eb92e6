import type { QueryClient } from '@tanstack/react-query';
import { enterpriseQuery, organizationList } from '../../api/organizations.queries.js';
import { itemsOf } from '../../api/paging.js';
import { DataText } from '../../ui/text/data-text.js';
import type { MenuItem } from '../../ui/overlays/menu.js';

/** Reads the first page of the person's organizations; empty on a server without the enterprise edition. */
export async function organizationItems(
  queries: QueryClient,
  current: string | undefined,
  go: (href: string) => void,
): Promise<MenuItem[]> {
  if (!(await queries.fetchQuery(enterpriseQuery))) return [];
  const organizations = itemsOf(await queries.fetchInfiniteQuery(organizationList));
  return [
    ...organizations.map(({ id, name }, index) => ({
      label: <DataText>{name}</DataText>,
      separator: index === 0,
      checked: id === current,
      onSelect: () => go(`/organizations/${id}/overview`),
    })),
    {
      label: 'Organizations',
      icon: 'organization',
      separator: true,
      onSelect: () => go('/organizations'),
    },
  ];
}
