import { ApiProperty } from '@nestjs/swagger';
import { type Region, regions } from '../../platform/config/enterprise-settings.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { BooleanField, EnumField, IntField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { type OrganizationRole, organizationRoles } from '../access/organization-role.js';
import { type Feature, features } from '../licence/features.js';

const NAME_MAX = 100;

@BodyExample({ name: 'Acme', region: 'eu' })
export class CreateOrganizationDto {
  @StringField({ min: 1, max: NAME_MAX, example: 'Acme' })
  name: string;

  @EnumField(regions, {
    optional: true,
    description: "Where the organization's projects are stored. By default the region of this deployment.",
  })
  region?: Region;
}

@BodyExample({ name: 'Acme', audit_retention_days: 365 })
export class UpdateOrganizationDto {
  @StringField({ min: 1, max: NAME_MAX, optional: true })
  name?: string;

  @EnumField(regions, { optional: true, description: 'One of `selectable_regions`.' })
  region?: Region;

  @IntField({
    min: 30,
    max: 3650,
    optional: true,
    nullable: true,
    description: 'Days for which audit logs are kept; null: forever. Visible to owners.',
  })
  audit_retention_days?: number | null;

  @BooleanField({
    optional: true,
    description:
      'People on verified domains must come through the identity provider, owners excepted. Needs an enabled connection and a verified domain.',
  })
  sso_enforced?: boolean;

  @IntField({
    min: 1,
    max: 100_000,
    optional: true,
    nullable: true,
    description: 'Number of purchased seats. Recorded, never enforced. Visible to owners.',
  })
  seats?: number | null;

  @StringField({ max: 254, optional: true, nullable: true, description: 'For owners.' })
  billing_email?: string | null;
}

export class OrganizationSeatsDto {
  @ApiProperty({ type: 'integer', nullable: true })
  purchased: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Number of distinct active members and members of its projects.',
  })
  used: number;
}

export class OrganizationDto {
  @ApiProperty({ enum: ['organization'] })
  object: 'organization';

  @ApiProperty({ type: String, example: 'org_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: organizationRoles })
  your_role: OrganizationRole;

  @ApiProperty({ enum: regions })
  region: Region;

  @ApiProperty({ type: String, example: 'European Union' })
  region_name: string;

  @ApiProperty({ enum: regions, isArray: true })
  selectable_regions: Region[];

  @ApiProperty({
    type: Boolean,
    description: 'Whether this server refuses requests for data of another region.',
  })
  region_enforced: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: audit logs are kept forever.' })
  audit_retention_days: number | null;

  @ApiProperty({ type: Boolean })
  sso_enforced: boolean;

  @ApiProperty({ type: OrganizationSeatsDto })
  seats: OrganizationSeatsDto;

  @ApiProperty({ type: String, nullable: true })
  billing_email: string | null;

  @ApiProperty({ type: 'integer', description: 'Active members.' })
  member_count: number;

  @ApiProperty({ type: 'integer' })
  project_count: number;

  @ApiProperty({
    enum: features,
    enumName: 'EnterpriseFeature',
    isArray: true,
    description: 'Features that are on.',
  })
  features: Feature[];

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class OrganizationListDto extends listOf(OrganizationDto) {}

export class DeletedOrganizationDto extends deletedOf('organization') {}

export class OrganizationSsoCountsDto {
  @ApiProperty({ type: 'integer' })
  connections: number;

  @ApiProperty({ type: 'integer' })
  enabled_connections: number;

  @ApiProperty({ type: 'integer' })
  domains: number;

  @ApiProperty({ type: 'integer' })
  verified_domains: number;
}

export class OrganizationScimCountsDto {
  @ApiProperty({ type: 'integer', description: 'Tokens that are not revoked.' })
  tokens: number;

  @ApiProperty({ type: 'integer' })
  users: number;

  @ApiProperty({ type: 'integer' })
  active_users: number;

  @ApiProperty({ type: 'integer' })
  groups: number;
}

export class OrganizationOverviewDto extends OrganizationDto {
  @ApiProperty({ type: OrganizationSsoCountsDto })
  sso: OrganizationSsoCountsDto;

  @ApiProperty({ type: OrganizationScimCountsDto })
  scim: OrganizationScimCountsDto;

  @ApiProperty({ type: 'integer' })
  custom_roles: number;

  @ApiProperty({ type: 'integer' })
  role_mappings: number;
}
