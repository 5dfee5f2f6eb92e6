import type { CustomRoleDto } from './custom-role.dto.js';
import type { ListedRole } from './custom-roles.repository.js';
import type { ProjectMemberDto } from './project-role.dto.js';
import type { OrganizationProjectMember } from './project-roles.repository.js';
import type { RoleMappingDto } from './role-mapping.dto.js';
import type { ListedMapping } from './role-mappings.repository.js';
import { roleNameOf } from './role-name.js';

export function presentCustomRole(role: ListedRole): CustomRoleDto {
  return {
    object: 'custom_role',
    id: role.id,
    name: role.name,
    description: role.description,
    scopes: role.scopes,
    project_id: role.projectId,
    member_count: role.memberCount,
    created_at: role.createdAt.getTime(),
    updated_at: role.updatedAt.getTime(),
  };
}

export function presentRoleMapping(mapping: ListedMapping): RoleMappingDto {
  return {
    object: 'role_mapping',
    id: mapping.id,
    group: mapping.groupName,
    project_id: mapping.projectId,
    project_name: mapping.projectName,
    role: mapping.role,
    role_name: roleNameOf(mapping.role, mapping.customName),
    created_at: mapping.createdAt.getTime(),
  };
}

export function presentProjectMember(member: OrganizationProjectMember): ProjectMemberDto {
  return {
    object: 'project_member',
    user_id: member.userId,
    email: member.email,
    name: member.name,
    project_id: member.projectId,
    role: member.role,
    role_name: roleNameOf(member.role, member.customName),
    source: member.source,
  };
}
