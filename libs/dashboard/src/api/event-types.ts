import type { Schema } from './types.js';

/** Lower-case event type of the API. */
export type EventType = NonNullable<Schema<'CreateWebhookIntegrationDto'>['event_types']>[number];

/** Every type that this server sends, with a description, grouped for people who search for one. */
const groups = {
  Subscriptions: {
    initial_purchase: 'A customer subscribed for the first time.',
    renewal: 'A subscription was renewed, or a lapsed customer came back.',
    product_change: 'A customer chose another product, or an add-on was added or removed.',
    cancellation: 'A subscription was cancelled or a purchase refunded.',
    uncancellation: 'A customer turned renewal back on before the end.',
    billing_issue: 'The store could not charge the customer.',
    subscription_paused: 'A subscription will pause at the end of its period.',
    subscription_extended: 'The expiration of a subscription was moved to a later date.',
    expiration: 'A subscription expired.',
    refund_reversed: 'A refund was reversed.',
    price_increase_consent_required: 'The store asks the customer to agree to a higher price.',
    price_increase_consent_approved: 'The customer agreed to a higher price.',
  },
  Purchases: {
    non_renewing_purchase: 'A customer bought something that does not renew.',
    virtual_currency_transaction: 'A balance in a virtual currency changed.',
    purchase_redeemed: 'A purchase made on the web was redeemed in an app.',
    refund_requested: 'A customer asked the store for a refund. Only sent when chosen.',
    refund_request_decided: 'The store decided about a refund request. Only sent when chosen.',
  },
  Customers: {
    transfer: 'Purchases moved from one customer to another.',
    experiment_enrollment: 'A customer joined an experiment.',
    subscriber_alias: 'A customer got another app user id. Only sent when chosen.',
  },
  Tests: {
    test: 'A test event, sent manually.',
  },
} satisfies Record<string, Partial<Record<EventType, string>>>;

/** Types that the API accepts for compatibility, and that this server never sends. */
export const unsentTypes = [
  'invoice_issuance',
  'temporary_entitlement_grant',
  'funnel_viewed',
  'funnel_step_completed',
  'funnel_purchase',
] as const satisfies EventType[];

type Described =
  | { [Group in keyof typeof groups]: keyof (typeof groups)[Group] }[keyof typeof groups]
  | (typeof unsentTypes)[number];
// Fails to compile if a type of the API is not in any group.
const everyTypeIsDescribed: EventType extends Described ? true : false = true;

export const eventTypeGroups = everyTypeIsDescribed
  ? Object.entries(groups).map(([label, types]) => ({
      label,
      types: Object.entries(types).map(([type, about]) => ({ type: type as EventType, about })),
    }))
  : [];

export const eventTypes: readonly EventType[] = eventTypeGroups.flatMap(({ types }) =>
  types.map(({ type }) => type),
);

/** The spelling of types in events: `RENEWAL`. */
export const typeName = (type: EventType): string => type.toUpperCase();
