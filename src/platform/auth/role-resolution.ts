import type { MemberRole, PermissionSet } from '../principal/permissions.js';

/** Who asks: a person, by a session or by a client that they let in. */
export interface RoleCaller {
  userId: string;
  /** The organization through whose identity provider the session began; null for other sessions. */
  ssoOrgId: string | null;
}

/** A membership as it is stored. */
export interface StoredRole {
  projectId: string;
  role: MemberRole;
}

/** What a person may do in a project. */
export interface EffectiveRole {
  role: MemberRole;
  /** For messages: `developer`, or the name of a custom role. */
  roleName: string;
  permissions: PermissionSet;
  /** The organization that the project belongs to. */
  organizationId: string | null;
}

/**
 * What people may do in projects. The open build knows the three built-in roles; the enterprise edition also custom
 * roles, people whom their organization has deactivated, and organizations that require their identity provider.
 */
export abstract class RoleResolution {
  /** Null: no access. @throws ApiError 403 if the person must sign in with the organization's identity provider */
  abstract find(projectId: string, caller: RoleCaller): Promise<EffectiveRole | null>;

  /** By project. Memberships that give no access are left out. */
  abstract ofMember(userId: string, stored: readonly StoredRole[]): Promise<Map<string, EffectiveRole>>;
}
