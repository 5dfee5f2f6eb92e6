import type { SqlUserDto, SqlUserState } from './sql-user.dto.js';
import type { SqlUser } from './sql-user.entity.js';

function stateOf({ blockedAt, expiresAt }: SqlUser, nowMs: number): SqlUserState {
  if (expiresAt !== null && expiresAt.getTime() <= nowMs) return 'expired';
  return blockedAt === null ? 'active' : 'blocked';
}

export function presentSqlUser(user: SqlUser, nowMs: number): SqlUserDto {
  return {
    object: 'sql_user',
    id: user.id,
    name: user.name,
    role_name: user.roleName,
    state: stateOf(user, nowMs),
    created_at: user.createdAt.getTime(),
    created_by: user.createdBy,
    expires_at: user.expiresAt?.getTime() ?? null,
    last_seen_at: user.lastSeenAt?.getTime() ?? null,
  };
}
