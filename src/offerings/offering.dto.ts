import { ApiProperty } from '@nestjs/swagger';
import { JsonObjectField, StringField } from '../http/fields.js';
import { listOf } from '../http/list.dto.js';
import { PackageListDto } from '../packages/package.dto.js';

export class CreateOfferingDto {
  @StringField({ max: 200, example: 'default' })
  lookup_key: string;

  @StringField({ max: 1500, example: 'The standard set of packages' })
  display_name: string;

  @JsonObjectField({
    optional: true,
    nullable: true,
    description: 'Any JSON object, at most 4000 characters as text.',
  })
  metadata?: Record<string, unknown> | null;
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

  @ApiProperty({ type: PackageListDto, required: false, description: 'Only when expanded.' })
  packages?: PackageListDto;
}

export class OfferingListDto extends listOf(OfferingDto) {}
