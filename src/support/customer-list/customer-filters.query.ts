import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  ChoiceParameter,
  QueryParameter,
  type RawQuery,
  singleValue,
  TextParameter,
  TimeParameter,
} from '../../platform/http/lists/query-parameters.js';
import { stores } from './listed-stores.js';

export const customerStatuses = [
  'active',
  'trial',
  'in_grace_period',
  'billing_issue',
  'expired',
  'refunded',
  'never_bought',
] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

export const customerSorts = ['last_seen', 'first_seen', 'spent'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** Null fields do not filter. */
export interface CustomerFilters {
  environment: 'production' | 'sandbox';
  search: string | null;
  status: CustomerStatus | null;
  product_id: string | null;
  entitlement_id: string | null;
  store: string | null;
  country: string | null;
  platform: string | null;
  app_version: string | null;
  first_seen_after: Date | null;
  first_seen_before: Date | null;
  last_seen_after: Date | null;
  last_seen_before: Date | null;
  spent_at_least: number | null;
  attribute_name: string | null;
  attribute_value: string | null;
}

const MAX_USD = 1_000_000_000;

/** USD with at most two decimals, as micros; null if absent. */
function readUsdMicros(query: RawQuery, name: string): number | null {
  const text = singleValue(query, name);
  if (text === null) return null;
  if (/^\d{1,10}(\.\d{1,2})?$/.test(text) && Number(text) <= MAX_USD) return Math.round(Number(text) * 1e6);
  throw ApiError.parameter(name, `${name} must be an amount in USD such as 49.99.`);
}

function readCountry(query: RawQuery, name: string): string | null {
  const text = singleValue(query, name);
  if (text === null || /^[A-Za-z]{2}$/.test(text)) return text?.toUpperCase() ?? null;
  throw ApiError.parameter(name, `${name} must be a country code of two letters.`);
}

/** One of the two without the other is a mistake. */
function readAttribute(query: RawQuery, name: string): string | null {
  const [own, other] = [
    singleValue(query, name),
    singleValue(query, name === 'attribute_name' ? 'attribute_value' : 'attribute_name'),
  ];
  if ((own === null) !== (other === null) && own === null)
    throw ApiError.parameter(name, `attribute_name and attribute_value belong together.`);
  const max = name === 'attribute_name' ? 40 : 500;
  if (own === null || (own.length >= 1 && own.length <= max)) return own;
  throw ApiError.parameter(name, `${name} must be 1 to ${max} characters.`);
}

const time = (description: string) => TimeParameter({ description: `${description} Epoch milliseconds.` });

export class CustomerFiltersQuery implements CustomerFilters {
  @ChoiceParameter(['production', 'sandbox'], {
    default: 'production',
    description: 'The purchases that filters, statuses and amounts are about. Default: production.',
  })
  environment: 'production' | 'sandbox';

  @TextParameter({
    max: 255,
    minLength: 1,
    maxLength: 255,
    description:
      'Only customers with an app user id or email that starts so, or with exactly this order id or other store identifier.',
  })
  search: string | null;

  @ChoiceParameter(customerStatuses, {
    description:
      '`active`: a subscription or grant gives access now, trials and grace periods included. `expired`: had a subscription, and none gives access now. `refunded`: a payment was refunded.',
  })
  status: CustomerStatus | null;

  @TextParameter({
    max: 255,
    description:
      'Bought this product. With status `active`, `trial` or `in_grace_period`: the product gives access now.',
  })
  product_id: string | null;

  @TextParameter({
    max: 255,
    description:
      'Bought a product that unlocks this entitlement, or was granted it. Statuses as for products.',
  })
  entitlement_id: string | null;

  @ChoiceParameter(stores, { description: 'Has a purchase of this store; `promotional` for grants.' })
  store: string | null;

  @QueryParameter(
    {
      type: String,
      example: 'DE',
      description:
        'Last seen in this country (ISO 3166 alpha-2). Without a device, the country of the newest purchase counts.',
    },
    readCountry,
  )
  country: string | null;

  @TextParameter({ max: 100, example: 'iOS', description: 'Last seen on this platform, in any case.' })
  platform: string | null;

  @TextParameter({ max: 100, description: 'Last seen with this version of the app.' })
  app_version: string | null;

  @time('First seen at this time or later.')
  first_seen_after: Date | null;

  @time('First seen before this time.')
  first_seen_before: Date | null;

  @time('Last seen at this time or later.')
  last_seen_after: Date | null;

  @time('Last seen before this time.')
  last_seen_before: Date | null;

  @QueryParameter(
    {
      type: Number,
      example: 49.99,
      description: 'Spent at least this much in USD: gross, refunds subtracted.',
    },
    readUsdMicros,
  )
  spent_at_least: number | null;

  @QueryParameter(
    { type: String, description: 'An attribute, together with `attribute_value`.' },
    readAttribute,
  )
  attribute_name: string | null;

  @QueryParameter({ type: String, description: 'The exact value of the attribute.' }, readAttribute)
  attribute_value: string | null;

  @ChoiceParameter(customerSorts, { default: 'last_seen', description: 'Default: last_seen.' })
  sort: CustomerSort;

  @ChoiceParameter(['asc', 'desc'], { default: 'desc', description: 'Default: desc.' })
  order: 'asc' | 'desc';
}
