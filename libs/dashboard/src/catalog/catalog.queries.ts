import type { QueryKey } from '@tanstack/react-query';

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
