import { microsToMajor } from '../../../libs/money/index.js';
import { attributesByName } from '../../customers/customers/customer-info/customer-attributes.js';
import { appUserIdOf, type EventCustomer, type EventHead } from './event-body.js';
import type {
  RefundDecisionEventDto,
  RefundRequestedEventDto,
  RefundRequestFieldsDto,
} from './refund-event.dto.js';

export interface RefundRequestReport {
  id: string;
  appId: string;
  store: string;
  environment: string;
  productId: string | null;
  entitlementLookupKeys: string[];
  transactionId: string | null;
  originalTransactionId: string | null;
  country: string | null;
  reason: string | null;
  requestedAtMs: number;
  deadlineAtMs: number;
  amountMicros: number | null;
  usdMicros: number | null;
  currency: string | null;
}

export interface RefundDecisionReport {
  outcome: string;
  /** Null if nothing was sent. */
  preferenceSent: string | null;
  refundedMicros: number | null;
  refundedUsdMicros: number | null;
}

function majorOf(micros: number | null): number | null {
  return micros === null ? null : microsToMajor(micros);
}

function requestBody<Type extends string>(
  head: EventHead,
  type: Type,
  customer: EventCustomer,
  request: RefundRequestReport,
): RefundRequestFieldsDto & { type: Type } {
  const { entitlementLookupKeys } = request;
  return {
    id: head.id,
    type,
    event_timestamp_ms: head.createdAtMs,
    sequence: head.sequence,
    app_id: request.appId,
    app_user_id: appUserIdOf(customer, customer.originalAppUserId),
    original_app_user_id: customer.originalAppUserId,
    aliases: customer.aliases.map(({ appUserId }) => appUserId),
    store: request.store.toUpperCase(),
    environment: request.environment.toUpperCase(),
    product_id: request.productId,
    entitlement_ids: entitlementLookupKeys.length > 0 ? entitlementLookupKeys : null,
    transaction_id: request.transactionId,
    original_transaction_id: request.originalTransactionId,
    country_code: request.country,
    subscriber_attributes: attributesByName(customer.attributes),
    refund_request_id: request.id,
    refund_reason: request.reason,
    requested_at_ms: request.requestedAtMs,
    deadline_at_ms: request.deadlineAtMs,
    amount: majorOf(request.amountMicros),
    amount_in_usd: majorOf(request.usdMicros),
    currency: request.currency,
  };
}

/** The webhook `event` object of a refund request. It has no price, because no money moved. */
export function refundRequestEventBody(
  head: EventHead,
  customer: EventCustomer,
  request: RefundRequestReport,
): RefundRequestedEventDto {
  return requestBody(head, 'REFUND_REQUESTED', customer, request);
}

/** The webhook `event` object of a refund request that the store decided. CANCELLATION reports the money itself. */
export function refundDecisionEventBody(
  head: EventHead,
  customer: EventCustomer,
  request: RefundRequestReport,
  { outcome, preferenceSent, refundedMicros, refundedUsdMicros }: RefundDecisionReport,
): RefundDecisionEventDto {
  return {
    ...requestBody(head, 'REFUND_REQUEST_DECIDED', customer, request),
    outcome,
    preference_sent: preferenceSent,
    refunded_amount: majorOf(refundedMicros),
    refunded_amount_in_usd: majorOf(refundedUsdMicros),
  };
}
