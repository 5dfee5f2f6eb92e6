import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationRole } from '../access/organization-role.js';

/** Who gave a role in a project: a person, the organization's role, or a group of an identity provider. */
export const roleSources = ['manual', 'org', 'idp'] as const;
export type RoleSource = (typeof roleSources)[number];

export interface RoleFacts {
  isActive: boolean;
  organizationRole: OrganizationRole;
  /** Given by hand; null if none was. */
  manualRole: MemberRole | null;
  /** The highest role of the person's groups; null if none gives one. */
  mappedRole: MemberRole | null;
}

/** The role that a person has in a project of the organization; null: none. The first rule that applies decides. */
export function effectiveRole(facts: RoleFacts): { role: MemberRole; source: RoleSource } | null {
  if (!facts.isActive) return null;
  if (facts.organizationRole !== 'member') return { role: 'admin', source: 'org' };
  if (facts.manualRole !== null) return { role: facts.manualRole, source: 'manual' };
  if (facts.mappedRole !== null) return { role: facts.mappedRole, source: 'idp' };
  return null;
}
