import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { type CustomerRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import type { ChangeBuilder } from '../../purchases/recording/change-builder.js';
import {
  refundDecisionEventBody,
  refundRequestEventBody,
  type RefundRequestReport,
} from '../../webhooks/events/refund-event-body.js';
import type { RefundRequest } from './refund-request.entity.js';
import { placeOf } from './refund-facts.service.js';
import { refundedPurchase } from './refunded-purchase.js';

function reportOf(
  request: RefundRequest,
  customer: CustomerRow,
  catalog: Catalog,
  nowMs: number,
): RefundRequestReport {
  const place = placeOf(request);
  const purchase = place && refundedPurchase(customer, catalog, place, nowMs);
  const { storeData } = request;
  return {
    id: request.id,
    appId: request.appId,
    store: request.store,
    environment: request.environment,
    productId: purchase?.productName ?? request.storeProductId,
    entitlementLookupKeys: purchase?.entitlementLookupKeys ?? [],
    transactionId: request.transactionId ?? request.orderId,
    originalTransactionId: storeData?.originalTransactionId ?? null,
    country: storeData?.country ?? purchase?.country ?? null,
    reason: request.reason,
    requestedAtMs: request.requestedAt.getTime(),
    deadlineAtMs: request.deadlineAt.getTime(),
    amountMicros: request.amountMicros,
    usdMicros: request.usdMicros,
    currency: request.currency,
  };
}

function addEvent(
  change: ChangeBuilder,
  type: 'REFUND_REQUESTED' | 'REFUND_REQUEST_DECIDED',
  request: RefundRequest,
  customer: CustomerRow,
  nowMs: number,
  body: Parameters<ChangeBuilder['addEvent']>[3],
): void {
  const place = {
    type,
    dedupeKey: `${type.toLowerCase()}:${request.id}:${request.outcome ?? ''}`,
    occurredAtMs: timeOf(customer, nowMs),
    subscriptionId: request.subscriptionId,
    purchaseId: request.purchaseId,
    appId: request.appId,
    environment: request.environment,
    delivery: 'send' as const,
  };
  change.addEvent(customer, null, place, body);
}

/** Reports a request to its owner's history and to webhooks. */
export function addRequested(
  change: ChangeBuilder,
  request: RefundRequest,
  customer: CustomerRow,
  catalog: Catalog,
  nowMs: number,
): void {
  const report = reportOf(request, customer, catalog, nowMs);
  addEvent(change, 'REFUND_REQUESTED', request, customer, nowMs, (head) =>
    refundRequestEventBody(head, customer, report),
  );
}

/** Reports the store's decision, which `request` contains. */
export function addDecided(
  change: ChangeBuilder,
  request: RefundRequest,
  customer: CustomerRow,
  catalog: Catalog,
  nowMs: number,
): void {
  const report = reportOf(request, customer, catalog, nowMs);
  const { outcome, answerStatus, preference, refundedMicros, refundedUsdMicros } = request;
  const decision = {
    outcome: outcome ?? '',
    preferenceSent: answerStatus === 'sent' ? preference : null,
    refundedMicros,
    refundedUsdMicros,
  };
  addEvent(change, 'REFUND_REQUEST_DECIDED', request, customer, nowMs, (head) =>
    refundDecisionEventBody(head, customer, report, decision),
  );
}
