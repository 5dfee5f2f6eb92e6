import type { QueryKey } from '@tanstack/react-query';

/** One prefix for the whole catalog, because a change to one object affects the pages of others. */
export const catalogKey = (projectId: string, ...rest: unknown[]): QueryKey => [
  projectId,
  'catalog',
  ...rest,
];

/** Queries that a change of the catalog invalidates, including the setup page. */
export const staleCatalog = (projectId: string): QueryKey[] => [
  catalogKey(projectId),
  [projectId, 'catalog-of-setup'],
];
