import type { OrganizationMemberDto } from './member.dto.js';
import type { ListedMember } from './members.repository.js';

export function presentMember(member: ListedMember): OrganizationMemberDto {
  return {
    object: 'organization_member',
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    source: member.source,
    active: member.active,
    sso_groups: member.ssoGroups,
    last_sso_at: member.lastSsoAt?.getTime() ?? null,
    password_sign_in: member.hasPassword,
    created_at: member.createdAt.getTime(),
  };
}
