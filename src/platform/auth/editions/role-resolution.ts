import type { MemberRole, PermissionSet } from '../../principal/permissions.js';

/** A user, identified by a session or by an OAuth client that they authorized. */
export interface RoleCaller {
  userId: string;
  /** The organization whose identity provider started the session; null for other sessions. */
  ssoOrgId: string | null;
}

/** A membership as stored. */
export interface StoredRole {
  projectId: string;
  role: MemberRole;
}

/** A user's permissions in a project. */
export interface EffectiveRole {
  role: MemberRole;
  /** For error messages: `developer`, or the name of a custom role. */
  roleName: string;
  permissions: PermissionSet;
  /** The organization that owns the project. */
  organizationId: string | null;
}

/**
 * Resolves users' roles in projects. The open edition has the three built-in roles. The enterprise edition adds custom
 * roles, deactivated users, and organizations that require their identity provider.
 */
export abstract class RoleResolution {
  /**
   * Returns null for no access. @throws ApiError 403 if the user must sign in with the organization's identity provider
   */
  abstract find(projectId: string, caller: RoleCaller): Promise<EffectiveRole | null>;

  /** Returns roles by project. Omits memberships that grant no access. */
  abstract ofMember(userId: string, stored: readonly StoredRole[]): Promise<Map<string, EffectiveRole>>;
}
