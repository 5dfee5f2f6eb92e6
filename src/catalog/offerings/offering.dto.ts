import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { BooleanField, JsonObjectField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PackageListDto } from '../packages/package.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ExpandParameter } from '../../platform/http/lists/query-parameters.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const metadata = {
  optional: true,
  nullable: true,
  description: 'Any JSON object, at most 4000 characters as text.',
} as const;

@BodyExample({ lookup_key: 'spring', display_name: 'Spring sale', metadata: { color: 'green' } })
export class CreateOfferingDto {
  @StringField({ max: 200, isPathSegment: true, example: 'default' })
  lookup_key: string;

  @StringField({ max: 1500, example: 'The standard set of packages' })
  display_name: string;

  @JsonObjectField(metadata)
  metadata?: Record<string, unknown> | null;
}

@BodyExample({ display_name: 'The standard offering', is_current: true })
export class UpdateOfferingDto {
  @StringField({ max: 1500, optional: true })
  display_name?: string;

  @BooleanField({
    optional: true,
    description: 'True replaces the current offering; false leaves the project without one.',
  })
  is_current?: boolean;

  @JsonObjectField(metadata)
  metadata?: Record<string, unknown> | null;
}

@BodyExample({ unarchive_referenced_entities: true })
export class UnarchiveOfferingDto {
  @BooleanField({
    optional: true,
    description: "Also unarchive the products of the offering's packages. Default false.",
  })
  unarchive_referenced_entities?: boolean;
}

export class OfferingDto {
  @ApiProperty({ enum: ['offering'] })
  object: 'offering';

  @ApiProperty({ type: String, example: 'ofrngsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String, example: 'default' })
  lookup_key: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: Boolean })
  is_current: boolean;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ enum: ['active', 'inactive'] })
  state: 'active' | 'inactive';

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  metadata: Record<string, unknown> | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The published paywall of the offering.',
    example: 'pwmofr1x0a1b2c3d4e5',
  })
  paywall_id: string | null;

  @ApiProperty({ type: PackageListDto, required: false, description: 'Only when expanded.' })
  packages?: PackageListDto;
}

export class OfferingListDto extends listOf(OfferingDto) {}

export class DeletedOfferingDto extends deletedOf('offering') {}

export class ListOfferingsQuery extends PageQuery {
  @ExpandParameter(['items.package', 'items.package.product'])
  expand: ReadonlySet<string>;
}

export class GetOfferingQuery {
  @ExpandParameter(['package', 'package.product'])
  expand: ReadonlySet<string>;
}
