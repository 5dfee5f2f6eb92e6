import type { MemberRole } from '../../platform/principal/permissions.js';
import type { OrganizationRole } from '../access/organization-role.js';

/** Source of a role in a project: assigned by a person, the organization role, or a group of an identity provider. */
export const roleSources = ['manual', 'org', 'idp'] as const;
export type RoleSource = (typeof roleSources)[number];

export interface RoleFacts {
  isActive: boolean;
  organizationRole: OrganizationRole;
  /** The role that a person assigned, or null. */
  manualRole: MemberRole | null;
  /** The highest role that the person's groups grant, or null. */
  mappedRole: MemberRole | null;
}

/** Returns a person's role in a project of the organization, or null. The first rule that applies wins. */
export function effectiveRole(facts: RoleFacts): { role: MemberRole; source: RoleSource } | null {
  if (!facts.isActive) return null;
  if (facts.organizationRole !== 'member') return { role: 'admin', source: 'org' };
  if (facts.manualRole !== null) return { role: facts.manualRole, source: 'manual' };
  if (facts.mappedRole !== null) return { role: facts.mappedRole, source: 'idp' };
  return null;
}
