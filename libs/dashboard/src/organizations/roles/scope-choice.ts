import type { ScopeGroup } from '../../api/enterprise.types.js';
import {
  areasWith,
  type Level,
  type PermissionArea,
  permissionsOf,
} from '../../frame/permissions/permission-levels.js';

/** The areas of the server's catalogue, in its order. */
export const areasOf = (groups: readonly ScopeGroup[]): PermissionArea[] =>
  areasWith(groups.flatMap(({ group, scopes }) => scopes.map(({ scope }) => ({ permission: scope, group }))));

/** Sorted, as in roles. */
export const scopesOf = (chosen: Readonly<Record<string, Level>>): string[] => permissionsOf(chosen).sort();
