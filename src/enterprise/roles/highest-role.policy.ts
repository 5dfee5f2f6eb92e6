import { type CustomRoleId, isBuiltIn, type MemberRole } from '../../platform/principal/permissions.js';

/** Properties that rank a custom role. */
export interface RankedRole {
  id: CustomRoleId;
  name: string;
  /** The number of scopes. */
  scopes: number;
  /** The only project in which the role is valid; null if it is valid in all. */
  projectId: string | null;
}

const ADMIN = 3;
const DEVELOPER = 2;
const CUSTOM = 1;
const VIEWER = 0;

function rankOf(role: MemberRole): number {
  if (!isBuiltIn(role)) return CUSTOM;
  return { admin: ADMIN, developer: DEVELOPER, viewer: VIEWER }[role];
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Returns the highest of the mapped roles in a project: admin, developer, custom roles (most scopes first, then by
 * name), viewer. Ignores custom roles that do not exist or belong to another project. Returns null if none remain.
 */
export function highestRole(
  roles: readonly MemberRole[],
  projectId: string,
  customRoles: ReadonlyMap<string, RankedRole>,
): MemberRole | null {
  const counts = (role: MemberRole): boolean => {
    if (isBuiltIn(role)) return true;
    const custom = customRoles.get(role);
    return custom !== undefined && (custom.projectId === null || custom.projectId === projectId);
  };
  const compare = (a: MemberRole, b: MemberRole): number => {
    const [left, right] = [customRoles.get(a), customRoles.get(b)];
    if (!left || !right) return rankOf(b) - rankOf(a);
    return right.scopes - left.scopes || byText(left.name, right.name) || byText(a, b);
  };
  return roles.filter(counts).sort(compare)[0] ?? null;
}
