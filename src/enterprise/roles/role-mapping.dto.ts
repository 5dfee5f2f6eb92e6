import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { MemberRole } from '../../platform/principal/permissions.js';

const ROLE_MAX = 255;

@BodyExample({ group: 'Support team', project_id: 'projsx2k8v0a1b', role: 'developer' })
export class SaveRoleMappingDto {
  @StringField({
    max: 255,
    description: 'Name of the group at the identity provider, ignoring case.',
    example: 'Support team',
  })
  group: string;

  @StringField({ max: 255 })
  project_id: string;

  @StringField({
    max: ROLE_MAX,
    description: '`admin`, `developer`, `viewer`, or the id of a custom role.',
    example: 'developer',
  })
  role: string;
}

export class RoleMappingDto {
  @ApiProperty({ enum: ['role_mapping'] })
  object: 'role_mapping';

  @ApiProperty({ type: String, example: 'map_mjvu2kq6r0a1' })
  id: string;

  @ApiProperty({ type: String, description: 'Spelling of the last change.' })
  group: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  project_name: string;

  @ApiProperty({ type: String, description: '`admin`, `developer`, `viewer`, or the id of a custom role.' })
  role: MemberRole;

  @ApiProperty({ type: String, example: 'Developer' })
  role_name: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class SavedRoleMappingDto extends RoleMappingDto {
  @ApiProperty({ type: 'integer', description: 'Memberships that were added, changed or removed.' })
  memberships_changed: number;
}

export class RoleMappingListDto extends listOf(RoleMappingDto) {}

export class DeletedRoleMappingDto extends deletedOf('role_mapping') {}
