import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { ProductListDto } from '../products/product.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ExpandParameter } from '../../platform/http/lists/query-parameters.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ lookup_key: 'premium', display_name: 'Premium features' })
export class CreateEntitlementDto {
  @StringField({ max: 200, isPathSegment: true, example: 'pro' })
  lookup_key: string;

  @StringField({ max: 1500, example: 'Pro features' })
  display_name: string;
}

@BodyExample({ display_name: 'Pro features' })
export class RenameEntitlementDto {
  @StringField({ max: 1500, example: 'Pro features' })
  display_name: string;
}

@BodyExample({ product_ids: ['prodsx2k8v0a1b'] })
export class ProductIdsDto {
  @StringArrayField({ min: 1, max: 50, itemMax: 255 })
  product_ids: string[];
}

export class EntitlementDto {
  @ApiProperty({ enum: ['entitlement'] })
  object: 'entitlement';

  @ApiProperty({ type: String, example: 'entlsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String, example: 'pro' })
  lookup_key: string;

  @ApiProperty({ type: String })
  display_name: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ enum: ['active', 'inactive'] })
  state: 'active' | 'inactive';

  @ApiProperty({
    type: ProductListDto,
    required: false,
    description: 'Only with `expand`, and after attaching products.',
  })
  products?: ProductListDto;
}

export class EntitlementListDto extends listOf(EntitlementDto) {}

export class DeletedEntitlementDto extends deletedOf('entitlement') {}

export class ListEntitlementsQuery extends PageQuery {
  @ExpandParameter(['items.product'])
  expand: ReadonlySet<string>;
}

export class GetEntitlementQuery {
  @ExpandParameter(['product'])
  expand: ReadonlySet<string>;
}
