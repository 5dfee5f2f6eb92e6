import { newEventId, newId } from '../../../../libs/kernel/index.js';
import type { TestEventDto } from '../../events/purchase-event.dto.js';
import type { TestEvent } from './delivery-log.repository.js';

const DAY_MS = 86_400_000;
const PRODUCT = 'test_product';
const CURRENCY = 'USD';

/** A `TEST` event: has the fields of a purchase by a customer who does not exist. */
export function testEvent(appId: string | null, nowMs: number): TestEvent {
  const id = newEventId();
  const appUserId = newId('customer', nowMs);
  const transactionId = newId('transaction', nowMs);
  const body: TestEventDto = {
    id,
    type: 'TEST',
    event_timestamp_ms: nowMs,
    app_id: appId ?? undefined,
    app_user_id: appUserId,
    original_app_user_id: appUserId,
    aliases: [appUserId],
    product_id: PRODUCT,
    entitlement_id: null,
    entitlement_ids: null,
    period_type: 'NORMAL',
    purchased_at_ms: nowMs,
    expiration_at_ms: nowMs + 30 * DAY_MS,
    environment: 'SANDBOX',
    presented_offering_id: null,
    transaction_id: transactionId,
    original_transaction_id: transactionId,
    is_family_share: false,
    country_code: null,
    currency: CURRENCY,
    price: 0,
    price_in_purchased_currency: 0,
    subscriber_attributes: {},
    store: 'TEST_STORE',
    takehome_percentage: 1,
    tax_percentage: 0,
    commission_percentage: 0,
    offer_code: null,
    renewal_number: 1,
    metadata: null,
  };
  const about = { appUserId, productId: PRODUCT, price: 0, currency: CURRENCY };
  return { id, body: JSON.stringify(body), about };
}
