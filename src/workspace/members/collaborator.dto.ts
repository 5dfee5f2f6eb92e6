import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EnumField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { type CustomRoleId, type ProjectRole, projectRoles } from '../../platform/principal/permissions.js';

export type CollaboratorRole = 'admin' | 'developer' | 'read_only' | CustomRoleId;

export class CollaboratorDto {
  @ApiProperty({ enum: ['collaborator'] })
  object: 'collaborator';

  @ApiProperty({ type: String, description: 'Id of the person.', example: 'usr_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({
    type: String,
    description:
      '`admin`, `developer`, `read_only` (a viewer), or the id of a custom role of the organization.',
    example: 'developer',
  })
  role: CollaboratorRole;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'When the person became a member, epoch milliseconds.',
  })
  accepted_at: number | null;

  @ApiProperty({ type: Boolean, description: 'Whether the person signs in with a second factor.' })
  has_mfa: boolean;
}

export class CollaboratorListDto extends listOf(CollaboratorDto) {}

export class DeletedCollaboratorDto extends deletedOf('collaborator') {}

@BodyExample({ role: 'admin' })
export class UpdateCollaboratorDto {
  @EnumField(projectRoles)
  role: ProjectRole;
}
