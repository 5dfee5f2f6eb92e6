import { ApiProperty } from '@nestjs/swagger';
import { scenarios } from '../../../libs/stores/index.js';
import { CustomerDto } from '../../customers/customers/identity/customer.dto.js';
import { EnumField, IntField, NumberField, StringField } from '../../platform/http/bodies/fields.js';
import { PurchaseDto, SubscriptionDto } from '../../purchases/lookups/purchase.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

/** The latest time that a `Date` can represent (ms). */
const LATEST_TIME_MS = 8_640_000_000_000_000;

@BodyExample({ app_user_id: 'ada', product_id: 'pro_monthly', scenario: 'purchase' })
export class CreateTestPurchaseDto {
  @StringField({
    max: 100,
    optional: true,
    description: 'The buyer; created if unknown. Required for a purchase.',
  })
  app_user_id?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Id or store identifier of a Test Store product. Required for a purchase.',
  })
  product_id?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Required if several Test Store apps have the product.',
  })
  app_id?: string;

  @EnumField([...scenarios, 'expiration'], {
    optional: true,
    description: 'What happens. Default `purchase`. `expiration` is an alias of `expire`.',
  })
  scenario?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Applies `scenario` to this subscription now, instead of making a new purchase.',
  })
  subscription_id?: string;

  @NumberField({
    min: 0,
    max: 1_000_000_000,
    optional: true,
    description:
      "In units of the currency. Default: the product's test price in `currency`, else its default price, else 0.",
  })
  price?: number;

  @StringField({
    min: 3,
    max: 3,
    optional: true,
    description: "ISO 4217. Default: the currency of the product's default price, else USD.",
  })
  currency?: string;

  @IntField({
    min: 0,
    max: LATEST_TIME_MS,
    optional: true,
    description: 'When the purchase was made, epoch milliseconds; not together with `offset_days`.',
  })
  purchased_at?: number;

  @IntField({
    min: 0,
    max: 730,
    optional: true,
    description: 'Moves everything this many days into the past.',
  })
  offset_days?: number;

  @StringField({ max: 255, optional: true, description: 'Lookup key of the offering that was shown.' })
  presented_offering_id?: string;

  @StringField({ min: 2, max: 3, optional: true, description: 'ISO 3166 country of the purchase.' })
  country_code?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Required for `product_change` and `product_change_deferred`.',
  })
  new_product_id?: string;

  @StringField({
    max: 100,
    optional: true,
    description: 'For `transfer`: the customer restoring the purchase.',
  })
  transfer_to?: string;
}

export class TestPurchaseDto {
  @ApiProperty({ enum: ['test_purchase'] })
  object: 'test_purchase';

  @ApiProperty({ enum: scenarios })
  scenario: string;

  @ApiProperty({ type: String })
  store_transaction_id: string;

  @ApiProperty({
    type: [String],
    description: 'Types of the recorded events in order, without the EXPIRATION that follows a refund.',
  })
  event_types: string[];

  @ApiProperty({ type: [String], description: 'Ids of those events.' })
  events: string[];

  @ApiProperty({ type: CustomerDto, description: 'The buyer.' })
  customer: CustomerDto;

  @ApiProperty({ type: SubscriptionDto, nullable: true })
  subscription: SubscriptionDto | null;

  @ApiProperty({ type: PurchaseDto, nullable: true })
  purchase: PurchaseDto | null;
}
