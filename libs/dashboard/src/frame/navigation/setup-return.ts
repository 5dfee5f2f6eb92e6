import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePreferences } from '../preferences.js';

/** Address of the unfinished setup that led to a page of the catalog. Only the cache writes it. */
const setupReturnQuery = (projectId: string) =>
  queryOptions<string | null>({
    queryKey: ['setup-return', projectId],
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** Stores the address of the setup while it is unfinished, for the pages that its steps lead to. */
export function useRememberSetup(projectId: string, app: string | undefined, isFinished: boolean): void {
  const queries = useQueryClient();
  const address = `/projects/${projectId}/setup${app === undefined ? '' : `?app=${app}`}`;
  useEffect(() => {
    queries.setQueryData(setupReturnQuery(projectId).queryKey, isFinished ? null : address);
  }, [queries, projectId, address, isFinished]);
}

/**
 * Returns the address of the setup on pages of the catalog and of apps, if one came from it; otherwise null. Other pages
 * end that.
 */
export function useSetupReturn(): string | null {
  const { projectId = '' } = useParams({ strict: false });
  const { pathname } = useLocation();
  const { preferences } = usePreferences();
  const queries = useQueryClient();
  const { queryKey } = setupReturnQuery(projectId);
  const { data = null } = useQuery(setupReturnQuery(projectId));
  const page = pathname.slice(`/projects/${projectId}`.length);
  const isOfSetup = page.startsWith('/catalog/') || page.startsWith('/apps');
  const isElsewhere = !isOfSetup && page !== '/setup';
  useEffect(() => {
    if (isElsewhere && data !== null) queries.setQueryData(queryKey, null);
  });
  return isOfSetup && !preferences.dismissedSetups.includes(projectId) ? data : null;
}
