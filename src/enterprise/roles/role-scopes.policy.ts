import { expandPermissions, type Permission } from '../../platform/principal/permissions.js';
import { assignableScopes } from './scope-catalogue.js';

const assignable: ReadonlySet<string> = new Set(assignableScopes);

/** Returns the first name that a custom role cannot hold, or null. */
export function unassignableScope(names: readonly string[]): string | null {
  return names.find((name) => !assignable.has(name)) ?? null;
}

/** Sorts scopes and removes duplicates; `read_write` includes `read`. Drops names that no role can hold. */
export function normalizedScopes(names: readonly string[]): Permission[] {
  return [...(expandPermissions(names.filter((name) => assignable.has(name))) ?? [])].sort();
}
