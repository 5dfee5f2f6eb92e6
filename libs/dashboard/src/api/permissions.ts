import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import required from 'virtual:permissions';
import { accountQuery, type AccountProject } from './account.queries.js';
import { missingRight, reasonOf } from './permission-rules.js';

export interface Allowance {
  allowed: boolean;
  /** Why not; null if allowed. Goes into a button's `disabledReason`. */
  reason: string | null;
}

/** What `operation` takes, by the OpenAPI document. */
export const permissionsOf = (operation: string): readonly string[] => required[operation] ?? [];

export function allowanceIn(project: AccountProject | undefined, operation: string): Allowance {
  const missing = project ? missingRight(permissionsOf(operation), project) : null;
  return { allowed: missing === null, reason: missing === null ? null : reasonOf(missing) };
}

/** The project whose page this is, as the account knows it. */
export function useProject(): AccountProject | undefined {
  const { projectId } = useParams({ strict: false });
  const { data } = useQuery(accountQuery);
  return data?.projects.find(({ id }) => id === projectId);
}

/** Whether the person may call an operation in this project, by its `operationId`. */
export function useMay(operation: string): Allowance {
  return allowanceIn(useProject(), operation);
}
