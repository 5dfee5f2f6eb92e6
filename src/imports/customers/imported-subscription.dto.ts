import {
  BooleanField,
  EnumField,
  ObjectArrayField,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import {
  environments,
  ImportedPriceDto,
  importedStores,
  ownerships,
  periodTypes,
  TimeField,
} from './imported-item.dto.js';

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
    description: 'If absent, the price is unknown.',
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

  @TimeField('End of access (ms), if it differs.', { nullable: true })
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

  @BooleanField({
    optional: true,
    description: 'Whether it gives access in the other system. Default: derived from its status.',
  })
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
