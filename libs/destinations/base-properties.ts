import { isoSeconds } from '../kernel/index.js';
import type { Delivery } from './definition.js';
import type { DestinationEvent } from './event.js';
import { platformOf } from './platform.js';

/** Null stays null, because some events report that a time is unknown. */
function isoTime(ms: number | null | undefined): string | null | undefined {
  return typeof ms === 'number' ? isoSeconds(ms) : ms;
}

/** Name to value, without deleted attributes. */
export function attributeValues({ subscriber_attributes }: DestinationEvent): Record<string, string> {
  const values = Object.entries(subscriber_attributes ?? {}).flatMap(([name, { value }]) =>
    typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(values);
}

/** Properties without times. Fields that the event does not have are undefined, so JSON leaves them out. */
export function timelessProperties({ event, customer, revenue }: Delivery) {
  return {
    revenue: revenue ?? undefined,
    currency: event.currency,
    product_id: event.product_id,
    new_product_id: event.new_product_id,
    store: event.store,
    period_type: event.period_type,
    environment: event.environment,
    app_id: event.app_id,
    app_user_id: event.app_user_id,
    original_app_user_id: event.original_app_user_id,
    aliases: event.aliases,
    entitlement_id: event.entitlement_id,
    entitlement_ids: event.entitlement_ids,
    presented_offering_id: event.presented_offering_id,
    transaction_id: event.transaction_id,
    original_transaction_id: event.original_transaction_id,
    is_family_share: event.is_family_share,
    offer_code: event.offer_code,
    cancel_reason: event.cancel_reason,
    expiration_reason: event.expiration_reason,
    subscriber_attributes: attributeValues(event),
    platform: platformOf(event),
    rc_subscription_status: customer.status ?? undefined,
  };
}

/** The properties that most tools receive. */
export function baseProperties(delivery: Delivery) {
  const { event } = delivery;
  return {
    ...timelessProperties(delivery),
    purchased_at: isoTime(event.purchased_at_ms),
    expiration_at: isoTime(event.expiration_at_ms),
    grace_period_expiration_at: isoTime(event.grace_period_expiration_at_ms),
    auto_resume_at: isoTime(event.auto_resume_at_ms),
  };
}
