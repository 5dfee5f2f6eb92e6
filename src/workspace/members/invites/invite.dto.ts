import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { EmailField } from '../../../platform/http/bodies/email.field.js';
import { EnumField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type ProjectRole, projectRoles } from '../../../platform/principal/permissions.js';

const inviteStatuses = ['pending', 'expired'] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

@BodyExample({ email: 'ada@example.com', role: 'developer' })
export class CreateInviteDto {
  @EmailField()
  email: string;

  @EnumField(projectRoles)
  role: ProjectRole;
}

export class InviteDto {
  @ApiProperty({ enum: ['invite'] })
  object: 'invite';

  @ApiProperty({ type: String, example: 'inv_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({ enum: projectRoles })
  role: ProjectRole;

  @ApiProperty({ enum: inviteStatuses, description: 'Accepted and revoked invites are not listed.' })
  status: InviteStatus;

  @ApiProperty({ type: String, description: 'Id of the person who invited.' })
  invited_by: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'When the newest link was sent, epoch milliseconds.' })
  last_sent_at: number;

  @ApiProperty({ type: 'integer', description: 'When that link stops working, epoch milliseconds.' })
  expires_at: number;
}

export class SentInviteDto extends InviteDto {
  @ApiProperty({
    type: Boolean,
    description:
      'False if the mail server has not accepted the mail yet. The server retries; the invite can also be resent.',
  })
  email_sent: boolean;
}

export class InviteListDto extends listOf(InviteDto) {}

export class DeletedInviteDto extends deletedOf('invite') {}
