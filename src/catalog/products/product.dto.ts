import { MAX_PRICE_MICROS } from '../../../libs/money/index.js';
import { ApiProperty } from '@nestjs/swagger';
import { AppDto } from '../apps/app.dto.js';
import type { ProductType } from '../snapshot/catalog.model.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EnumField, IntField, ObjectField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ExpandParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

export const productTypes = [
  'subscription',
  'one_time',
  'consumable',
  'non_consumable',
  'non_renewing_subscription',
] as const satisfies ProductType[];

const duration = { max: 40, optional: true, nullable: true } as const;

export class SubscriptionFieldsDto {
  @StringField({
    ...duration,
    description:
      'ISO 8601, such as P1M. The Test Store uses it as the period. A purchase of a non-renewing subscription, and a rental from Google Play, unlocks its entitlements for this long.',
    example: 'P1M',
  })
  duration?: string | null;

  @StringField({ ...duration, description: 'Test Store only: length of a free trial.', example: 'P1W' })
  trial_duration?: string | null;

  @StringField({
    ...duration,
    description: 'Test Store only: grace period after a failed charge.',
    example: 'P3D',
  })
  grace_period_duration?: string | null;
}

export class TestStorePriceDto {
  @IntField({
    min: 0,
    max: MAX_PRICE_MICROS,
    description: 'Millionths of the currency: 9.99 is 9990000.',
    example: 9990000,
  })
  amount_micros: number;

  @StringField({ min: 3, max: 3, description: 'ISO 4217.', example: 'USD' })
  currency: string;
}

class ProductFieldsDto {
  @StringField({ max: 1500, optional: true, nullable: true })
  display_name?: string | null;

  @StringField({ max: 1500, optional: true, nullable: true, description: 'Alias of display_name.' })
  title?: string | null;

  @ObjectField(() => SubscriptionFieldsDto, {
    optional: true,
    nullable: true,
    description:
      'Subscriptions. With a `duration` only: non-renewing subscriptions, and all products of Google Play, which may be rented out.',
  })
  subscription?: SubscriptionFieldsDto | null;

  @ObjectField(() => TestStorePriceDto, {
    optional: true,
    nullable: true,
    description:
      'Test Store products only: the default price. It replaces the previous default price, also if that is in another currency; prices in further currencies (`test_store_prices`) stay. Null: no prices at all.',
  })
  test_store_price?: TestStorePriceDto | null;
}

@BodyExample({
  store_identifier: 'pro_weekly',
  app_id: 'appsx2k8v0a1b',
  type: 'subscription',
  display_name: 'Pro, weekly',
  subscription: { duration: 'P1W' },
  test_store_price: { amount_micros: 2990000, currency: 'USD' },
})
export class CreateProductDto extends ProductFieldsDto {
  @StringField({
    max: 200,
    isPathSegment: true,
    example: 'pro_monthly',
    description: 'Android subscriptions: `subscriptionId:basePlanId`.',
  })
  store_identifier: string;

  @StringField({ max: 255 })
  app_id: string;

  @EnumField(productTypes)
  type: ProductType;
}

@BodyExample({ display_name: 'Pro, monthly' })
export class UpdateProductDto extends ProductFieldsDto {
  @EnumField(productTypes, {
    optional: true,
    description: 'Changing a subscription to another type clears the durations.',
  })
  type?: ProductType;
}

class ProductSubscriptionDto {
  @ApiProperty({ type: String, nullable: true })
  duration: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: 'Subscriptions only.' })
  grace_period_duration?: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: 'Subscriptions only.' })
  trial_duration?: string | null;
}

class ProductOneTimeDto {
  @ApiProperty({ type: Boolean, nullable: true })
  is_consumable: boolean | null;
}

class IndicativePriceDto {
  @ApiProperty({ enum: ['indicative_price'] })
  object: 'indicative_price';

  @ApiProperty({ type: String })
  currency: string;

  @ApiProperty({ type: String, nullable: true })
  country: null;

  @ApiProperty({ type: 'integer' })
  amount_micros: number;
}

export class ProductDto {
  @ApiProperty({ enum: ['product'] })
  object: 'product';

  @ApiProperty({ type: String, example: 'prodsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  store_identifier: string;

  @ApiProperty({ enum: productTypes })
  type: ProductType;

  @ApiProperty({ enum: ['active', 'inactive'] })
  state: 'active' | 'inactive';

  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;

  @ApiProperty({
    type: ProductSubscriptionDto,
    nullable: true,
    description: 'Null for one-time products without a duration.',
  })
  subscription: ProductSubscriptionDto | null;

  @ApiProperty({ type: ProductOneTimeDto, nullable: true })
  one_time: ProductOneTimeDto | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: AppDto, required: false, description: 'Only when expanded.' })
  app?: AppDto;

  @ApiProperty({
    type: IndicativePriceDto,
    required: false,
    nullable: true,
    description: 'Only when expanded.',
  })
  indicative_price?: IndicativePriceDto | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    description:
      'Only when expanded, by `getProduct`. Subscriptions of the product that give access now, trials and sandbox ones included; one-time purchases are not counted. Deleting the product takes their access.',
  })
  active_subscriptions?: number;
}

export class ProductListDto extends listOf(ProductDto) {}

export class DeletedProductDto extends deletedOf('product') {}

export class ListProductsQuery extends PageQuery {
  @TextParameter({ description: 'Only the products of this app.' })
  app_id: string | null;

  @ExpandParameter(['items.app', 'items.indicative_price'])
  expand: ReadonlySet<string>;
}

export class GetProductQuery {
  @ExpandParameter(['app', 'indicative_price', 'active_subscriptions'])
  expand: ReadonlySet<string>;
}

export class WriteProductQuery {
  @ExpandParameter(['app', 'indicative_price'])
  expand: ReadonlySet<string>;
}
