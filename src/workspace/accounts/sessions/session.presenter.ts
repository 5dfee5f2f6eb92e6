import type { SessionDto } from './session.dto.js';
import type { ListedSession } from './sessions.repository.js';

export function presentSession(session: ListedSession, currentId: string): SessionDto {
  return {
    object: 'session',
    id: session.id,
    current: session.id === currentId,
    method: session.method,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.getTime(),
    last_seen_at: session.lastSeenAt.getTime(),
    expires_at: session.expiresAt.getTime(),
  };
}
