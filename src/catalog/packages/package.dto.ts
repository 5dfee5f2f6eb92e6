import { ApiProperty } from '@nestjs/swagger';
import type { EligibilityCriteria } from '../snapshot/catalog.model.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  EnumField,
  IntField,
  ObjectArrayField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { ProductDto } from '../products/product.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ExpandParameter } from '../../platform/http/lists/query-parameters.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

export const eligibilityCriteria = [
  'all',
  'google_sdk_lt_6',
  'google_sdk_ge_6',
] as const satisfies EligibilityCriteria[];

/** Leaves room for the positions of later packages within a 32-bit integer. */
const MAX_POSITION = 2_000_000_000;

@BodyExample({ lookup_key: '$rc_weekly', display_name: 'Weekly' })
export class CreatePackageDto {
  @StringField({ max: 200, isPathSegment: true, example: '$rc_monthly' })
  lookup_key: string;

  @StringField({ max: 1500, example: 'Monthly' })
  display_name: string;

  @IntField({
    min: 0,
    max: MAX_POSITION,
    optional: true,
    description: 'Position in the offering. Default: last.',
  })
  position?: number;
}

@BodyExample({ display_name: 'Monthly', position: 1 })
export class UpdatePackageDto {
  @StringField({ max: 1500, optional: true })
  display_name?: string;

  @IntField({ min: 0, max: MAX_POSITION, optional: true, description: 'Position in the offering.' })
  position?: number;
}

export class PackageProductInputDto {
  @StringField({ max: 255 })
  product_id: string;

  @EnumField(eligibilityCriteria, { optional: true, description: 'Default: all.' })
  eligibility_criteria?: EligibilityCriteria;
}

@BodyExample({ products: [{ product_id: 'prodsx2k8v0a1b', eligibility_criteria: 'all' }] })
export class AttachPackageProductsDto {
  @ObjectArrayField(() => PackageProductInputDto, { min: 1, max: 50 })
  products: PackageProductInputDto[];
}

@BodyExample({ product_ids: ['prodsx2k8v0a1b'] })
export class DetachPackageProductsDto {
  @StringArrayField({ min: 1, max: 50, itemMax: 255 })
  product_ids: string[];
}

export class PackageProductDto {
  @ApiProperty({ type: ProductDto })
  product: ProductDto;

  @ApiProperty({ enum: eligibilityCriteria })
  eligibility_criteria: EligibilityCriteria;
}

export class PackageProductListDto extends listOf(PackageProductDto) {}

export class PackageDto {
  @ApiProperty({ enum: ['package'] })
  object: 'package';

  @ApiProperty({ type: String, example: 'pkgesx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String, example: '$rc_monthly' })
  lookup_key: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: 'integer' })
  position: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({
    type: PackageProductListDto,
    required: false,
    description: 'Only with `expand`, and after attaching products.',
  })
  products?: PackageProductListDto;
}

export class PackageListDto extends listOf(PackageDto) {}

export class DeletedPackageDto extends deletedOf('package') {}

export class ListPackagesQuery extends PageQuery {
  @ExpandParameter(['items.product'])
  expand: ReadonlySet<string>;
}

export class GetPackageQuery {
  @ExpandParameter(['product'])
  expand: ReadonlySet<string>;
}
