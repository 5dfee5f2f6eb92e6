import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import { type RoleSource, roleSources } from './effective-role.policy.js';

@BodyExample({ role: 'developer' })
export class AssignRoleDto {
  @StringField({
    max: 255,
    description: '`admin`, `developer`, `viewer`, or the id of a custom role.',
    example: 'role_mjvu2kq6r0a1',
  })
  role: string;
}

export class ProjectMemberDto {
  @ApiProperty({ enum: ['project_member'] })
  object: 'project_member';

  @ApiProperty({ type: String })
  user_id: string;

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String, description: '`admin`, `developer`, `viewer`, or the id of a custom role.' })
  role: MemberRole;

  @ApiProperty({
    type: String,
    description: 'Admin, Developer, Viewer, the name of the custom role, or `No access (role removed)`.',
    example: 'Developer',
  })
  role_name: string;

  @ApiProperty({
    enum: roleSources,
    description:
      'Origin of the role: manual, the role in the organization, or a group of the identity provider.',
  })
  source: RoleSource;
}

export class ProjectMemberListDto extends listOf(ProjectMemberDto) {}
