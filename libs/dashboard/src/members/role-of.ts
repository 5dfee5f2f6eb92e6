import type { Member, Role } from './members.queries.js';
import { roleNames } from './members.text.js';

/** A viewer reads back as `read_only`; null for a custom role, which is one of the organization. */
export function roleOf({ role }: Pick<Member, 'role'>): Role | null {
  if (role === 'read_only') return 'viewer';
  return Object.hasOwn(roleNames, role) ? (role as Role) : null;
}
