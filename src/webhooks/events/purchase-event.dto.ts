import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { CancelReason, EndReason, EventType, PeriodType } from '../../../libs/engine/index.js';
import type { SdkAttributeDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import {
  CountryCode,
  Currency,
  CustomerEventFieldsDto,
  EntitlementIds,
  EventAppId,
  eventEnvironments,
  eventStores,
  SubscriberAttributes,
} from './event-fields.dto.js';

export type ConsentEventType = Extract<
  EventType,
  'PRICE_INCREASE_CONSENT_REQUIRED' | 'PRICE_INCREASE_CONSENT_APPROVED'
>;
export type PurchaseEventType = Exclude<EventType, ConsentEventType>;

export const purchaseEventTypes: PurchaseEventType[] = [
  'INITIAL_PURCHASE',
  'RENEWAL',
  'NON_RENEWING_PURCHASE',
  'PRODUCT_CHANGE',
  'SUBSCRIPTION_EXTENDED',
  'REFUND_REVERSED',
  'UNCANCELLATION',
  'BILLING_ISSUE',
  'CANCELLATION',
  'SUBSCRIPTION_PAUSED',
  'EXPIRATION',
];
export const consentEventTypes: ConsentEventType[] = [
  'PRICE_INCREASE_CONSENT_REQUIRED',
  'PRICE_INCREASE_CONSENT_APPROVED',
];

const periodTypes: Uppercase<PeriodType>[] = ['NORMAL', 'TRIAL', 'INTRO', 'PREPAID', 'PROMOTIONAL'];
const cancelReasons: CancelReason[] = [
  'UNSUBSCRIBE',
  'BILLING_ERROR',
  'DEVELOPER_INITIATED',
  'PRICE_INCREASE',
  'CUSTOMER_SUPPORT',
  'UNKNOWN',
];
const endReasons: EndReason[] = [...cancelReasons, 'SUBSCRIPTION_PAUSED'];

const Price = (): PropertyDecorator =>
  ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Gross price in USD: zero for events without money, negative for refunds, null if it is unknown.',
  });

const PriceInPurchasedCurrency = (): PropertyDecorator =>
  ApiProperty({ type: Number, nullable: true, description: 'The same in `currency`.' });

export class EventItemDto {
  @ApiProperty({ enum: ['base', 'addon'] })
  type: 'base' | 'addon';

  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  expiration_at_ms: number | null;

  @Currency()
  currency: string | null;

  @Price()
  price: number | null;

  @PriceInPurchasedCurrency()
  price_in_purchased_currency: number | null;
}

export class EventExperimentDto {
  @ApiProperty({ type: String })
  experiment_id: string;

  @ApiProperty({ type: String })
  experiment_variant: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  enrolled_at_ms: number;
}

/** Fields of a purchase in an event. */
class PurchaseFieldsDto extends CustomerEventFieldsDto {
  @EventAppId()
  app_id?: string;

  @ApiProperty({ type: String, description: 'Google Play: `<product>:<base plan>`.' })
  product_id: string;

  @ApiProperty({ enum: eventStores })
  store: string;

  @ApiProperty({ enum: eventEnvironments })
  environment: string;

  @ApiProperty({ type: String })
  transaction_id: string;

  @ApiProperty({ type: String, description: 'The first transaction of the subscription.' })
  original_transaction_id: string;

  @CountryCode()
  country_code: string | null;

  @Currency()
  currency: string | null;

  @SubscriberAttributes()
  subscriber_attributes: Record<string, SdkAttributeDto>;
}

/** The two consent events contain only the purchase, without its periods or prices. */
export class ConsentEventDto extends PurchaseFieldsDto {
  @ApiProperty({ enum: consentEventTypes })
  type: ConsentEventType;
}

class PeriodFieldsDto extends PurchaseFieldsDto {
  @ApiProperty({ type: 'null', description: 'Superseded by `entitlement_ids`.' })
  entitlement_id: null;

  @EntitlementIds()
  entitlement_ids: string[] | null;

  @ApiProperty({ enum: periodTypes })
  period_type: string;

  @ApiProperty({ type: 'integer', description: 'Start of the period, epoch milliseconds.' })
  purchased_at_ms: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null: never.' })
  expiration_at_ms: number | null;

  @ApiProperty({ type: String, nullable: true })
  presented_offering_id: string | null;

  @ApiProperty({ type: Boolean, description: 'Someone else pays for the purchase.' })
  is_family_share: boolean;

  @ApiProperty({ enum: ['ASSIGNED'], required: false, description: 'The purchase is a seat.' })
  ownership?: 'ASSIGNED';

  @Price()
  price: number | null;

  @PriceInPurchasedCurrency()
  price_in_purchased_currency: number | null;

  @ApiProperty({ type: Number, description: 'Share of the price after the commission, 0 to 1.' })
  takehome_percentage: number;

  @ApiProperty({ type: Number, description: 'Always 0.' })
  tax_percentage: number;

  @ApiProperty({ type: Number, description: "The store's share of the price, 0 to 1." })
  commission_percentage: number;

  @ApiProperty({ type: String, nullable: true })
  offer_code: string | null;

  @ApiProperty({ type: 'integer', required: false, description: '1 for the first period.' })
  renewal_number?: number;

  @ApiProperty({ type: 'null' })
  metadata: null;

  @ApiProperty({
    type: [EventExperimentDto],
    required: false,
    description: 'Every experiment the customer ever joined, oldest first; absent if there are none.',
  })
  experiments?: EventExperimentDto[];

  @ApiProperty({ type: Boolean, required: false, description: 'The first paid period after a trial.' })
  is_trial_conversion?: boolean;

  @ApiProperty({ enum: cancelReasons, required: false, description: 'With `CANCELLATION`.' })
  cancel_reason?: CancelReason;

  @ApiProperty({ enum: endReasons, required: false, description: 'With `EXPIRATION`.' })
  expiration_reason?: EndReason;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description: 'With `BILLING_ISSUE`: epoch milliseconds, null without a grace period.',
  })
  grace_period_expiration_at_ms?: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description: 'With `SUBSCRIPTION_PAUSED`: epoch milliseconds, null if the store does not report it.',
  })
  auto_resume_at_ms?: number | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'With `PRODUCT_CHANGE` on the same subscription.',
  })
  new_product_id?: string;

  @ApiProperty({ type: 'integer', required: false, description: 'Absent for purchases without seats.' })
  seats?: number;

  @ApiProperty({
    type: [EventItemDto],
    required: false,
    description: 'All products of a subscription with add-ons, the base product first; else absent.',
  })
  items?: EventItemDto[];
}

export class PurchaseEventDto extends PeriodFieldsDto {
  @ApiProperty({ enum: purchaseEventTypes })
  type: PurchaseEventType;
}

/** Has the fields of a purchase by a customer who does not exist. */
export class TestEventDto extends OmitType(PeriodFieldsDto, ['sequence']) {
  @ApiProperty({ enum: ['TEST'] })
  type: 'TEST';
}
