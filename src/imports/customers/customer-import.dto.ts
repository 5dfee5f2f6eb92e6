import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/body-example.js';
import {
  BooleanField,
  EnumField,
  IntField,
  JsonObjectField,
  NumberField,
  ObjectArrayField,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../platform/http/fields.js';

const MAX_MS = 8_640_000_000_000_000;

const TimeField = (description: string, { required = false, nullable = false } = {}) =>
  IntField({ min: 0, max: MAX_MS, optional: !required, nullable, description, example: 1_760_000_000_000 });

export const importedStores = [
  'amazon',
  'app_store',
  'mac_app_store',
  'play_store',
  'promotional',
  'stripe',
  'rc_billing',
  'roku',
  'paddle',
  'test_store',
] as const;

const statuses = [
  'trialing',
  'active',
  'in_grace_period',
  'in_billing_retry',
  'paused',
  'expired',
  'unknown',
  'incomplete',
];
const renewalStatuses = [
  'will_renew',
  'will_not_renew',
  'will_change_product',
  'will_pause',
  'requires_price_increase_consent',
  'has_already_renewed',
];
const periodTypes = ['normal', 'trial', 'intro', 'prepaid'];
const ownerships = ['purchased', 'family_shared'];
const environments = ['production', 'sandbox'];
const productTypes = [
  'subscription',
  'one_time',
  'consumable',
  'non_consumable',
  'non_renewing_subscription',
];

export class ImportedPriceDto {
  @NumberField({ min: 0, max: 1_000_000_000, description: 'In units of the currency.', example: 9.99 })
  amount: number;

  @StringField({
    min: 3,
    max: 3,
    pattern: /^[A-Z]{3}$/,
    patternText: 'must be three capital letters',
    example: 'USD',
  })
  currency: string;
}

export class ImportedAttributeDto {
  @StringField({ max: 100, example: '$email' })
  name: string;

  @StringField({
    min: 0,
    max: 100_000,
    nullable: true,
    description: 'Null deletes it.',
    example: 'ada@example.com',
  })
  value: string | null;

  @TimeField('When it was set there (ms). Of two values the newer one counts.', { required: true })
  updated_at: number;
}

export class ImportedTransactionDto {
  @StringField({ max: 1500, example: '230000812345678' })
  id: string;

  @TimeField('When the period began (ms).', { required: true })
  purchased_at: number;

  @TimeField('When it ends (ms).', { nullable: true })
  expires_at?: number | null;

  @StringField({ max: 511, optional: true, description: 'Default: that of the subscription.' })
  product_identifier?: string;

  @ObjectField(() => ImportedPriceDto, {
    optional: true,
    nullable: true,
    description: 'Without one it is unknown.',
  })
  price?: ImportedPriceDto | null;

  @EnumField(periodTypes, { optional: true })
  period_type?: 'normal' | 'trial' | 'intro' | 'prepaid';

  @TimeField('When it was refunded (ms).', { nullable: true })
  refunded_at?: number | null;
}

export class ImportedSubscriptionDto {
  @StringField({ max: 100, optional: true, description: 'An app of the project. Not for `promotional`.' })
  app_id?: string;

  @EnumField(importedStores)
  store: (typeof importedStores)[number];

  @StringField({
    max: 511,
    optional: true,
    description:
      "The store's identifier (Google Play: `subscription:base-plan`). It need not be in the catalog.",
    example: 'pro_monthly',
  })
  product_identifier?: string;

  @EnumField(environments, { optional: true, description: 'Default: `production`.' })
  environment?: 'production' | 'sandbox';

  @TimeField('Start of the subscription (ms).')
  starts_at?: number;

  @TimeField('Start of the current or last period (ms).')
  current_period_starts_at?: number;

  @TimeField('End of that period (ms); null: never, or paused without a date.', { nullable: true })
  current_period_ends_at?: number | null;

  @TimeField('End of access (ms), where it differs.', { nullable: true })
  ends_at?: number | null;

  @EnumField(statuses, { optional: true, example: 'active' })
  status?: string;

  @EnumField(renewalStatuses, { optional: true, description: 'Default: `will_not_renew`.' })
  auto_renewal_status?: string;

  @StringField({
    max: 1500,
    optional: true,
    description: "Latest transaction id, order id, or the store's subscription id.",
    example: '230000812345678',
  })
  store_subscription_identifier?: string;

  @StringField({ max: 64, optional: true, description: 'App Store: the original transaction id.' })
  original_transaction_id?: string;

  @StringField({ max: 1500, optional: true, description: 'Google Play: the purchase token.' })
  purchase_token?: string;

  @BooleanField({ optional: true, description: 'Whether it gives access there. Default: by its status.' })
  gives_access?: boolean;

  @EnumField(periodTypes, { optional: true, description: 'Default: by its status.' })
  period_type?: 'normal' | 'trial' | 'intro' | 'prepaid';

  @EnumField(ownerships, { optional: true, description: 'Default: `purchased`.' })
  ownership?: 'purchased' | 'family_shared';

  @StringField({ max: 3, optional: true, nullable: true, example: 'US' })
  country?: string | null;

  @StringField({ max: 200, optional: true, nullable: true })
  presented_offering_id?: string | null;

  @ObjectField(() => ImportedPriceDto, {
    optional: true,
    nullable: true,
    description: 'Of the current period.',
  })
  price?: ImportedPriceDto | null;

  @TimeField('When the current period was refunded (ms).', { nullable: true })
  refunded_at?: number | null;

  @TimeField('When renewal was turned off (ms).', { nullable: true })
  unsubscribe_detected_at?: number | null;

  @TimeField('When a charge failed (ms).', { nullable: true })
  billing_issues_detected_at?: number | null;

  @TimeField('End of grace (ms).', { nullable: true })
  grace_period_expires_at?: number | null;

  @TimeField('End of a pause (ms).', { nullable: true })
  auto_resume_at?: number | null;

  @ObjectArrayField(() => ImportedTransactionDto, { max: 1000, optional: true, description: 'In any order.' })
  transactions?: ImportedTransactionDto[];

  @StringArrayField({
    max: 100,
    itemMax: 200,
    optional: true,
    description: '`promotional`: what is granted.',
  })
  entitlement_lookup_keys?: string[];

  @StringField({ max: 100, optional: true, description: 'App user id of the first owner.' })
  original_customer_id?: string;

  @StringField({ max: 1500, optional: true, description: "Amazon: the user's id in the store." })
  store_user_id?: string;
}

export class ImportedPurchaseDto {
  @StringField({ max: 100, description: 'An app of the project.' })
  app_id: string;

  @EnumField(importedStores)
  store: (typeof importedStores)[number];

  @StringField({ max: 511, example: 'coins_100' })
  product_identifier: string;

  @TimeField('When it was bought (ms).', { required: true })
  purchased_at: number;

  @StringField({ max: 1500, description: 'Transaction or order id.', example: 'GPA.3312-1234-5678-90123' })
  store_purchase_identifier: string;

  @EnumField(['owned', 'refunded'])
  status: 'owned' | 'refunded';

  @EnumField(environments, { optional: true, description: 'Default: `production`.' })
  environment?: 'production' | 'sandbox';

  @IntField({ min: 1, max: 1000, optional: true, description: 'Default: 1.' })
  quantity?: number;

  @ObjectField(() => ImportedPriceDto, { optional: true, nullable: true })
  price?: ImportedPriceDto | null;

  @TimeField('When it was refunded (ms).', { nullable: true })
  refunded_at?: number | null;

  @EnumField(ownerships, { optional: true })
  ownership?: 'purchased' | 'family_shared';

  @StringField({ max: 3, optional: true, nullable: true, example: 'US' })
  country?: string | null;

  @StringField({ max: 200, optional: true, nullable: true })
  presented_offering_id?: string | null;

  @StringField({ max: 1500, optional: true })
  purchase_token?: string;

  @EnumField(productTypes, { optional: true, description: 'Of a product that is not in the catalog.' })
  type?: string;
}

export class ImportedCustomerDto {
  @StringField({ max: 100, description: 'App user id.', example: 'ada' })
  id: string;

  @StringArrayField({ max: 5000, itemMax: 100, optional: true, description: 'Other ids of the customer.' })
  aliases?: string[];

  @TimeField('First seen (ms). The earliest counts.')
  first_seen_at?: number;

  @TimeField('Last seen (ms). The latest counts.', { nullable: true })
  last_seen_at?: number | null;

  @ObjectArrayField(() => ImportedAttributeDto, { max: 500, optional: true })
  attributes?: ImportedAttributeDto[];

  @ObjectArrayField(() => ImportedSubscriptionDto, { max: 1000, optional: true })
  subscriptions?: ImportedSubscriptionDto[];

  @ObjectArrayField(() => ImportedPurchaseDto, { max: 1000, optional: true })
  purchases?: ImportedPurchaseDto[];

  @JsonObjectField({ optional: true, description: 'Balances by currency code.', example: { GLD: 80 } })
  virtual_currencies?: Record<string, unknown>;

  @StringField({
    max: 100,
    optional: true,
    nullable: true,
    description: 'Version of the app first installed.',
  })
  original_application_version?: string | null;

  @TimeField('When the app was first bought or installed (ms).', { nullable: true })
  original_purchase_date?: number | null;

  @StringField({
    max: 200,
    optional: true,
    nullable: true,
    description: 'Lookup key of their current offering.',
  })
  offering_override?: string | null;

  @BooleanField({ optional: true, description: 'Blocks the id.' })
  blocked?: boolean;
}

@BodyExample({
  customers: [
    {
      id: 'ada',
      aliases: ['$RCAnonymousID:4a6f2d0e8b1c4f7a9d3e5c6b7a8f9e0d'],
      first_seen_at: 1_750_000_000_000,
      attributes: [{ name: '$email', value: 'ada@example.com', updated_at: 1_750_000_000_000 }],
    },
  ],
  emit_events: false,
})
export class ImportCustomersDto {
  @ObjectArrayField(() => ImportedCustomerDto, { min: 1, max: 100 })
  customers: ImportedCustomerDto[];

  @BooleanField({ optional: true, description: 'Emit how new subscriptions stand. Default: false.' })
  emit_events?: boolean;

  @BooleanField({ optional: true, description: 'Ask the stores for missing keys. Default: true.' })
  resolve_store_ids?: boolean;

  @TimeField('When the other system was read (ms). Of two imports the later counts. Default: now.')
  as_of?: number;
}

export class ImportedResultDto {
  @ApiProperty({ type: String, example: 'ada' })
  id: string;

  @ApiProperty({ enum: ['created', 'updated', 'merged'] })
  status: 'created' | 'updated' | 'merged';

  @ApiProperty({ type: 'integer', description: 'Items of the call that are recorded for the customer.' })
  subscriptions: number;

  @ApiProperty({ type: 'integer' })
  purchases: number;

  @ApiProperty({ type: 'integer', description: 'Google Play subscriptions still without a purchase token.' })
  needs_token_refresh: number;

  @ApiProperty({
    type: [String],
    maxItems: 20,
    example: ['subscriptions.0: the product "pro_weekly" is not in the catalog'],
  })
  notes: string[];
}

export class ImportResultDto {
  @ApiProperty({ enum: ['import_result'] })
  object: 'import_result';

  @ApiProperty({ type: Boolean })
  emit_events: boolean;

  @ApiProperty({ type: [ImportedResultDto], description: 'In the order of the request.' })
  customers: ImportedResultDto[];
}
