import { ApiProperty } from '@nestjs/swagger';
import { type ProjectRole, projectRoles } from '../../../platform/principal/permissions.js';
import type { ShownInvite } from './account-invites.service.js';

export class InvitedProjectDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;
}

export class InvitedByDto {
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null if the account no longer exists.' })
  email: string | null;
}

export class ShownInviteDto {
  @ApiProperty({ enum: ['invite'] })
  object: 'invite';

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({ enum: projectRoles })
  role: ProjectRole;

  @ApiProperty({ type: InvitedProjectDto })
  project: InvitedProjectDto;

  @ApiProperty({ type: InvitedByDto })
  invited_by: InvitedByDto;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  expires_at: number;

  @ApiProperty({ type: Boolean, description: 'Whether the address has an account, to sign in with.' })
  account_exists: boolean;
}

export class AcceptedInviteDto {
  @ApiProperty({ enum: [true], type: Boolean })
  ok: true;

  @ApiProperty({ type: String, description: 'The project that the account is now a member of.' })
  project_id: string;
}

export function presentShownInvite({ invite, accountExists }: ShownInvite): ShownInviteDto {
  return {
    object: 'invite',
    email: invite.email,
    role: invite.role,
    project: { id: invite.projectId, name: invite.projectName },
    invited_by: { name: invite.inviterName, email: invite.inviterEmail },
    expires_at: invite.expiresAt.getTime(),
    account_exists: accountExists,
  };
}
