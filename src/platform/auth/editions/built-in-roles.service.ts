import { Injectable } from '@nestjs/common';
import { isBuiltIn, rolePermissions, type MemberRole } from '../../principal/permissions.js';
import { MemberRoles } from '../credential-lookups.js';
import { type EffectiveRole, type RoleCaller, RoleResolution, type StoredRole } from './role-resolution.js';

/** Custom roles created by the enterprise edition grant no access here. */
function effective(role: MemberRole | null): EffectiveRole | null {
  if (role === null || !isBuiltIn(role)) return null;
  return { role, roleName: role, permissions: rolePermissions[role], organizationId: null };
}

/** The roles of the open edition. */
@Injectable()
export class BuiltInRolesService extends RoleResolution {
  constructor(private readonly members: MemberRoles) {
    super();
  }

  async find(projectId: string, { userId }: RoleCaller): Promise<EffectiveRole | null> {
    return effective(await this.members.find(projectId, userId));
  }

  ofMember(_: string, stored: readonly StoredRole[]): Promise<Map<string, EffectiveRole>> {
    const known = stored.flatMap(({ projectId, role }) => {
      const found = effective(role);
      return found ? [[projectId, found] as const] : [];
    });
    return Promise.resolve(new Map(known));
  }
}
