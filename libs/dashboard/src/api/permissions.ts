import operations from 'virtual:permissions';
import type { AccountProject } from './account.queries.js';
import { missingRight, reasonOf } from './permission-rules.js';
import { useProject } from './project.js';

export { useProject } from './project.js';

export interface Allowance {
  allowed: boolean;
  /** Why it is not allowed; null if it is. For a button's `disabledReason`. */
  reason: string | null;
}

const required = new Map(
  Object.entries(operations).flatMap(([needed, ids]) =>
    ids.split(' ').map((id) => [id, needed.split(' ')] as const),
  ),
);

/** Returns the permissions that `operation` needs, according to the OpenAPI document. */
export const permissionsOf = (operation: string): readonly string[] => required.get(operation) ?? [];

export function allowanceIn(project: AccountProject | undefined, operation: string): Allowance {
  const missing = project ? missingRight(permissionsOf(operation), project) : null;
  return { allowed: missing === null, reason: missing === null ? null : reasonOf(missing) };
}

/** Whether the person may call an operation (`operationId`) in this project. */
export function useMay(operation: string): Allowance {
  return allowanceIn(useProject(), operation);
}
