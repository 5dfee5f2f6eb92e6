import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EMAIL_MAX } from '../../platform/http/bodies/email.js';
import { EnumField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import {
  type OrganizationMemberSource,
  organizationMemberSources,
  type OrganizationRole,
  organizationRoles,
} from '../access/organization-role.js';

@BodyExample({ email: 'ada@example.com', role: 'admin' })
export class AddMemberDto {
  @StringField({
    min: 1,
    max: EMAIL_MAX,
    example: 'ada@example.com',
    description: 'Email of an account on this server.',
  })
  email: string;

  @EnumField(organizationRoles, {
    optional: true,
    description: 'By default `member`. Only owners add owners.',
  })
  role?: OrganizationRole;
}

@BodyExample({ role: 'admin' })
export class UpdateMemberDto {
  @EnumField(organizationRoles)
  role: OrganizationRole;
}

export class OrganizationMemberDto {
  @ApiProperty({ enum: ['organization_member'] })
  object: 'organization_member';

  @ApiProperty({ type: String, example: 'usr_mjvu2kq6r0a1b2c3' })
  user_id: string;

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ enum: organizationRoles })
  role: OrganizationRole;

  @ApiProperty({ enum: organizationMemberSources, description: 'How the person became a member.' })
  source: OrganizationMemberSource;

  @ApiProperty({ type: Boolean, description: 'False once the identity provider has deactivated the person.' })
  active: boolean;

  @ApiProperty({ type: [String], description: 'Groups at the last sign-in through the identity provider.' })
  sso_groups: string[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  last_sso_at: number | null;

  @ApiProperty({ type: Boolean, description: 'Whether the account has a password.' })
  password_sign_in: boolean;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class OrganizationMemberListDto extends listOf(OrganizationMemberDto) {}

export class DeletedOrganizationMemberDto extends deletedOf('organization_member') {}
