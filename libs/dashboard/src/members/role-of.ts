import type { Member, Role } from './members.queries.js';

/** A viewer reads back as `read_only`. */
export const roleOf = ({ role }: Pick<Member, 'role'>): Role => (role === 'read_only' ? 'viewer' : role);
