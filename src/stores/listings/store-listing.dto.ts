import { ApiProperty } from '@nestjs/swagger';
import { type ListedProduct, type ListedState, listedStates } from '../../../libs/stores/index.js';
import { ProductDto, productTypes } from '../../catalog/products/product.dto.js';
import { EnumField, StringArrayField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { comparedFields, type Difference } from './listing-comparison.js';

const MAX_IMPORTED = 500;

class StoreProductPriceDto {
  @ApiProperty({ type: 'integer', description: 'Millionths of the currency: 9.99 is 9990000.' })
  amount_micros: number;

  @ApiProperty({ type: String, example: 'USD' })
  currency: string;
}

export class StoreProductDto {
  @ApiProperty({ enum: ['store_product'] })
  object: 'store_product';

  @ApiProperty({
    type: String,
    description:
      'The identifier that a product of this app has here. Google Play: `subscriptionId:basePlanId`; Stripe and Paddle: the id of the price.',
    example: 'pro:monthly',
  })
  store_identifier: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'A shorter identifier that represents this product and others: the subscription at Google Play, the product at Stripe and Paddle.',
  })
  parent_identifier: string | null;

  @ApiProperty({
    enum: productTypes,
    description: '`one_time` if the store does not say whether the product is consumable.',
  })
  type: ListedProduct['type'];

  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'ISO 8601.', example: 'P1M' })
  duration: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Length of a free trial on offer, ISO 8601.' })
  trial_duration: string | null;

  @ApiProperty({
    type: StoreProductPriceDto,
    nullable: true,
    description:
      'Price in the United States, or else in the first country of the store; null if the store does not report one.',
  })
  price: StoreProductPriceDto | null;

  @ApiProperty({
    enum: listedStates,
    description: '`draft`: not on sale yet; `inactive`: no longer on sale.',
  })
  state: ListedState;

  @ApiProperty({ type: String, description: "The store's name of the state.", example: 'ACTIVE' })
  store_state: string;

  @ApiProperty({ type: [String], description: 'Ids of the offers on sale (Google Play).' })
  offers: string[];

  @ApiProperty({ type: String, nullable: true, description: 'The product here with this identifier.' })
  product_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The product here with the parent identifier, which unlocks this one, too.',
  })
  parent_product_id: string | null;
}

export class StoreProductListDto extends listOf(StoreProductDto) {}

@BodyExample({ store_identifiers: ['pro:monthly', 'pro:yearly'] })
export class ImportStoreProductsDto {
  @StringArrayField({
    min: 1,
    max: MAX_IMPORTED,
    itemMax: 200,
    description: 'Products from the list of the store. All or none are created.',
    example: ['pro:monthly'],
  })
  store_identifiers: string[];

  @EnumField(['one_time', 'consumable', 'non_consumable'], {
    optional: true,
    description:
      'Type of one-time products if the store does not say whether they are consumable. Default: one_time.',
  })
  one_time_type?: 'one_time' | 'consumable' | 'non_consumable';
}

export class StoreProductImportDto {
  @ApiProperty({ enum: ['store_product_import'] })
  object: 'store_product_import';

  @ApiProperty({ type: [ProductDto], description: 'Products that were created.' })
  created: ProductDto[];

  @ApiProperty({ type: [ProductDto], description: 'Products that existed; they are unchanged.' })
  existing: ProductDto[];
}

class MissingInStoreDto {
  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ type: String })
  store_identifier: string;

  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;
}

class StoreDifferenceDto extends MissingInStoreDto {
  @ApiProperty({ enum: comparedFields })
  field: Difference['field'];

  @ApiProperty({ type: String, nullable: true })
  here: string | null;

  @ApiProperty({ type: String, nullable: true })
  in_store: string | null;
}

export class StoreProductComparisonDto {
  @ApiProperty({ enum: ['store_product_comparison'] })
  object: 'store_product_comparison';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({
    type: [StoreProductDto],
    description:
      'Products of the store, without those no longer on sale, that no product here represents. Without prices at the App Store.',
  })
  missing_here: StoreProductDto[];

  @ApiProperty({
    type: [MissingInStoreDto],
    description: 'Active products here that the store does not have.',
  })
  missing_in_store: MissingInStoreDto[];

  @ApiProperty({ type: [StoreDifferenceDto], description: 'One item for each field that differs.' })
  different: StoreDifferenceDto[];

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  compared_at: number;
}
