import type { Member, Role } from './members.queries.js';
import { roleNames } from './labels.js';

/** The API returns viewers as `read_only`. Returns null for a custom role of the organization. */
function builtInRole({ role }: Pick<Member, 'role'>): Role | null {
  if (role === 'admin' || role === 'developer') return role;
  return role === 'read_only' ? 'viewer' : null;
}

/** The initial built-in role of the select. */
export const roleOf = (member: Pick<Member, 'role'>): Role => builtInRole(member) ?? 'viewer';

export function roleName(member: Pick<Member, 'role'>): string {
  const role = builtInRole(member);
  return role === null ? 'Custom role' : roleNames[role];
}
