import { ApiProperty } from '@nestjs/swagger';
import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import { DisplayAmountDto } from '../../purchases/lookups/display-amount.dto.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  ChoiceParameter,
  listedValues,
  QueryParameter,
  type RawQuery,
} from '../../platform/http/lists/query-parameters.js';

class OfferingNameDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  lookup_key: string;

  @ApiProperty({ type: String })
  display_name: string;
}

class HeldEntitlementDto {
  @ApiProperty({ type: String })
  lookup_key: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null if it never ends.' })
  expires_at: number | null;
}

export class PurchaseRowDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null for grants.' })
  app_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null for grants, and for a deleted app.' })
  app_name: string | null;

  @ApiProperty({ type: String })
  product_identifier: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null if the product has none in the catalog.' })
  product_display_name: string | null;

  @ApiProperty({ type: String, example: 'test_store' })
  store: string;

  @ApiProperty({ type: String, example: 'active' })
  status: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null if it never ends.' })
  ends_at: number | null;

  @ApiProperty({ enum: ['production', 'sandbox'] })
  environment: string;

  @ApiProperty({ type: DisplayAmountDto, description: 'Refunds subtracted.' })
  spent: DisplayAmountDto;
}

export class CustomerSummaryDto {
  @ApiProperty({ enum: ['customer_summary'] })
  object: 'customer_summary';

  @ApiProperty({ type: String, description: 'The app user id that was asked for.' })
  id: string;

  @ApiProperty({ type: String })
  original_app_user_id: string;

  @ApiProperty({ type: [String] })
  aliases: string[];

  @ApiProperty({ type: Number, description: 'Gross, of production purchases, refunds subtracted.' })
  total_revenue_in_usd: number;

  @ApiProperty({ type: Number, description: 'Gross, of sandbox purchases, refunds subtracted.' })
  sandbox_revenue_in_usd: number;

  @ApiProperty({ type: DisplayAmountDto, description: 'Spent in production, refunds subtracted.' })
  spent: DisplayAmountDto;

  @ApiProperty({ type: DisplayAmountDto, description: 'Spent in the sandbox, refunds subtracted.' })
  sandbox_spent: DisplayAmountDto;

  @ApiProperty({ type: 'integer', description: 'Notes of the team.' })
  note_count: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The country that a device sent last; without one, that of the newest purchase.',
  })
  country: string | null;

  @ApiProperty({ enum: ['device', 'purchase'], nullable: true, description: 'Where `country` comes from.' })
  country_source: 'device' | 'purchase' | null;

  @ApiProperty({ type: String, nullable: true })
  platform: string | null;

  @ApiProperty({ type: [String], description: 'Stores the customer bought in.' })
  stores: string[];

  @ApiProperty({ type: OfferingNameDto, nullable: true })
  offering_override: OfferingNameDto | null;

  @ApiProperty({ type: OfferingNameDto, nullable: true, description: 'The offering that the customer sees.' })
  current_offering: OfferingNameDto | null;

  @ApiProperty({ type: Boolean })
  blocked: boolean;

  @ApiProperty({ type: [HeldEntitlementDto] })
  active_entitlements: HeldEntitlementDto[];

  @ApiProperty({ type: [HeldEntitlementDto], description: 'Granted entitlements, not purchased ones.' })
  granted_entitlements: HeldEntitlementDto[];

  @ApiProperty({ type: [PurchaseRowDto] })
  subscriptions: PurchaseRowDto[];

  @ApiProperty({ type: [PurchaseRowDto] })
  purchases: PurchaseRowDto[];
}

export class CustomerSummaryListDto extends listOf(CustomerSummaryDto) {}

const MAX_IDS = 100;

/** @throws ApiError 400 if there are no ids or too many */
function readIds(query: RawQuery, name: string): string[] {
  const ids = [...new Set(listedValues(query, name))];
  if (ids.length >= 1 && ids.length <= MAX_IDS) return ids;
  throw ApiError.parameter(name, `${name} must name 1 to ${MAX_IDS} app user ids.`);
}

export class CustomerSummariesQuery {
  @QueryParameter(
    {
      type: [String],
      required: true,
      explode: false,
      example: ['ada', 'grace'],
      description: `1 to ${MAX_IDS} app user ids, separated by commas.`,
    },
    readIds,
  )
  ids: string[];

  @ChoiceParameter(displayCurrencyNames, {
    default: 'USD',
    description: 'Currency of the amounts spent. Default: USD.',
  })
  currency: DisplayCurrency;
}
