import { Injectable } from '@nestjs/common';
import {
  type EffectiveRole,
  type RoleCaller,
  RoleResolution,
  type StoredRole,
} from '../../platform/auth/editions/role-resolution.js';
import {
  allPermissions,
  isBuiltIn,
  type PermissionSet,
  rolePermissions,
  withImpliedRead,
} from '../../platform/principal/permissions.js';
import { LicenceService } from '../licence/licence.service.js';
import { type FoundRole, OrganizationAccessRepository } from './organization-access.repository.js';
import { mustUseSso } from './organization-errors.js';

/** Ignores names that this version does not know. */
function permissionsOf(scopes: readonly string[]): PermissionSet {
  const held = withImpliedRead(allPermissions.filter((name) => scopes.includes(name)));
  return new Set(allPermissions.filter((name) => held.has(name)));
}

/** Returns null for deactivated members and for roles that no longer exist. */
function effective(found: FoundRole): EffectiveRole | null {
  const { role, organizationId, isActive, customName, customScopes } = found;
  if (!isActive) return null;
  if (isBuiltIn(role)) return { role, roleName: role, permissions: rolePermissions[role], organizationId };
  if (customName === null || customScopes === null) return null;
  return { role, roleName: customName, permissions: permissionsOf(customScopes), organizationId };
}

/** Resolves roles in projects that may belong to organizations. */
@Injectable()
export class OrganizationRolesService extends RoleResolution {
  constructor(
    private readonly repository: OrganizationAccessRepository,
    private readonly licence: LicenceService,
  ) {
    super();
  }

  async find(projectId: string, { userId, ssoOrgId }: RoleCaller): Promise<EffectiveRole | null> {
    const [found] = await this.repository.findRoles([projectId], userId);
    const role = found ? effective(found) : null;
    if (!found || !role) return null;
    if (found.requiresSso && ssoOrgId !== found.organizationId && this.licence.feature('sso'))
      throw mustUseSso();
    return role;
  }

  async ofMember(userId: string, stored: readonly StoredRole[]): Promise<Map<string, EffectiveRole>> {
    const ids = stored.map(({ projectId }) => projectId);
    const found = ids.length === 0 ? [] : await this.repository.findRoles(ids, userId);
    return new Map(
      found.flatMap((row) => {
        const role = effective(row);
        return role ? [[row.projectId, role] as const] : [];
      }),
    );
  }
}
