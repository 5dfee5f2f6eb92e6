import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { Permission } from '../../platform/principal/permissions.js';
import { assignableScopes } from './scope-catalogue.js';

const NAME_MAX = 100;
const DESCRIPTION_MAX = 500;
const SCOPE_MAX = 100;
/** Allows clients to send each scope twice. */
const SCOPES_MAX = 2 * assignableScopes.length;

class ScopeDto {
  @ApiProperty({ type: String, example: 'customer_information:customers:read' })
  scope: Permission;

  @ApiProperty({ type: String, example: 'Customers: read' })
  label: string;
}

class ScopeGroupDto {
  @ApiProperty({ type: String, example: 'Customers' })
  group: string;

  @ApiProperty({ type: [ScopeDto] })
  scopes: ScopeDto[];
}

export class ScopeCatalogueDto {
  @ApiProperty({ enum: ['scope_catalogue'] })
  object: 'scope_catalogue';

  @ApiProperty({ type: [ScopeGroupDto] })
  groups: ScopeGroupDto[];
}

const scopesField = {
  min: 1,
  max: SCOPES_MAX,
  itemMax: SCOPE_MAX,
  description: 'Scopes of the catalogue; a `read_write` includes its `read`.',
  example: ['customer_information:customers:read', 'charts_metrics:overview:read'],
} as const;

@BodyExample({
  name: 'Support',
  description: 'Looks after customers.',
  scopes: ['customer_information:customers:read_write', 'customer_information:purchases:read'],
  project_id: null,
})
export class CreateCustomRoleDto {
  @StringField({
    max: NAME_MAX,
    example: 'Support',
    description: 'Unique in the organization, ignoring case.',
  })
  name: string;

  @StringField({ max: DESCRIPTION_MAX, min: 0, optional: true, nullable: true })
  description?: string | null;

  @StringArrayField(scopesField)
  scopes: string[];

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'The only project in which the role can be held; null: every project of the organization.',
  })
  project_id?: string | null;
}

@BodyExample({ name: 'Support', scopes: ['customer_information:customers:read'] })
export class UpdateCustomRoleDto {
  @StringField({ max: NAME_MAX, optional: true })
  name?: string;

  @StringField({ max: DESCRIPTION_MAX, min: 0, optional: true, nullable: true })
  description?: string | null;

  @StringArrayField({ ...scopesField, optional: true })
  scopes?: string[];

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'Can only change while no member has the role and no group assigns it.',
  })
  project_id?: string | null;
}

export class CustomRoleDto {
  @ApiProperty({ enum: ['custom_role'] })
  object: 'custom_role';

  @ApiProperty({ type: String, example: 'role_mjvu2kq6r0a1' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: [String], description: 'Sorted; a `read_write` comes with its `read`.' })
  scopes: Permission[];

  @ApiProperty({ type: String, nullable: true, description: 'Null: every project of the organization.' })
  project_id: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of members with the role.' })
  member_count: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class CustomRoleListDto extends listOf(CustomRoleDto) {}

export class DeletedCustomRoleDto extends deletedOf('custom_role') {}
