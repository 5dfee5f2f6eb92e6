import { expandPermissions, type Permission } from '../../platform/principal/permissions.js';
import { assignableScopes } from './scope-catalogue.js';

const assignable: ReadonlySet<string> = new Set(assignableScopes);

/** The first name that a custom role cannot hold, or null. */
export function unassignableScope(names: readonly string[]): string | null {
  return names.find((name) => !assignable.has(name)) ?? null;
}

/** Sorted, each once; `read_write` includes `read`. Names that no role can hold are dropped. */
export function normalizedScopes(names: readonly string[]): Permission[] {
  return [...(expandPermissions(names.filter((name) => assignable.has(name))) ?? [])].sort();
}
