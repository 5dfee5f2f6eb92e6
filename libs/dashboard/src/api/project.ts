import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { accountQuery, type AccountProject } from './account.queries.js';

/** The project of the current page, from the account. */
export function useProject(): AccountProject | undefined {
  const { projectId } = useParams({ strict: false });
  const { data } = useQuery(accountQuery);
  return data?.projects.find(({ id }) => id === projectId);
}
