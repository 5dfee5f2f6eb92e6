import type { InviteDto } from './invite.dto.js';
import type { Invite } from './invite.entity.js';

export function presentInvite(invite: Invite, nowMs: number): InviteDto {
  return {
    object: 'invite',
    id: invite.id,
    email: invite.email,
    role: invite.role,
    status: invite.expiresAt.getTime() > nowMs ? 'pending' : 'expired',
    invited_by: invite.invitedBy,
    created_at: invite.createdAt.getTime(),
    last_sent_at: invite.lastSentAt.getTime(),
    expires_at: invite.expiresAt.getTime(),
  };
}
