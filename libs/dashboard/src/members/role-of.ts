import type { Member, Role } from './members.queries.js';
import { customRole, roleNames } from './members.text.js';

/** A viewer reads back as `read_only`; null for a custom role of the organization. */
function builtInRole({ role }: Pick<Member, 'role'>): Role | null {
  if (role === 'admin' || role === 'developer') return role;
  return role === 'read_only' ? 'viewer' : null;
}

/** The built-in role that a new choice starts from. */
export const roleOf = (member: Pick<Member, 'role'>): Role => builtInRole(member) ?? 'viewer';

export function roleName(member: Pick<Member, 'role'>): string {
  const role = builtInRole(member);
  return role === null ? customRole : roleNames[role];
}
