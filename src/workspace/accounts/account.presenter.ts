import type { Config } from '../../platform/config/config.js';
import type { AccessibleProject } from '../projects/memberships.service.js';
import type { AccountDto, AccountProjectDto, UserDto } from './account.dto.js';
import type { OpenLink } from './links/account-links.service.js';
import { hasTwoFactor, type User } from './user.entity.js';

export function presentUser(user: User): UserDto {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    email_verified: user.emailVerified,
    alert_emails: user.alertEmails,
    has_password: user.passwordHash !== null,
    has_mfa: hasTwoFactor(user),
  };
}

function presentMembership(project: AccessibleProject): AccountProjectDto {
  const { id, name, role, permissions, organizationId, createdAt } = project;
  return {
    id,
    name,
    role,
    permissions: [...permissions],
    organization_id: organizationId,
    created_at: createdAt.getTime(),
  };
}

export function presentAccount(
  user: User,
  emailChange: OpenLink | null,
  memberships: AccessibleProject[],
  { edition }: Config,
): AccountDto {
  const mustVerify = edition === 'cloud' && !user.emailVerified;
  return {
    user: presentUser(user),
    email_change: emailChange && { email: emailChange.email, expires_at: emailChange.expiresAt.getTime() },
    account: { edition, plan: 'free', email_verification_required: mustVerify },
    projects: memberships.map(presentMembership),
  };
}
