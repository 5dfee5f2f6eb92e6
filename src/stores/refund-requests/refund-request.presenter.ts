import { type MonetaryAmountDto, noMoney, presentMoney } from '../../purchases/lookups/money.js';
import type { RefundRequestDto } from './refund-request.dto.js';
import type { RefundRequest } from './refund-request.entity.js';

export interface ShownRefundRequest extends RefundRequest {
  /** Original app user id; null if the owner is unknown or was deleted. */
  customerAppUserId: string | null;
}

function presentAmount(micros: number | null, currency: string | null): MonetaryAmountDto | null {
  if (micros === null || currency === null) return null;
  return presentMoney(currency, { ...noMoney, grossMicros: micros });
}

export function presentRefundRequest(request: ShownRefundRequest): RefundRequestDto {
  return {
    object: 'refund_request',
    id: request.id,
    project_id: request.projectId,
    app_id: request.appId,
    store: request.store,
    environment: request.environment,
    customer_id: request.customerAppUserId,
    subscription_id: request.subscriptionId,
    purchase_id: request.purchaseId,
    product_id: request.productId,
    transaction_id: request.transactionId,
    order_id: request.orderId,
    reason: request.reason,
    requested_at: request.requestedAt.getTime(),
    deadline_at: request.deadlineAt.getTime(),
    due_at: request.dueAt?.getTime() ?? null,
    policy_id: request.policyId,
    policy_name: request.policyName,
    decided_by: request.decidedBy,
    preference: request.preference,
    answer_status: request.answerStatus,
    answer_reason: request.answerReason,
    answered_at: request.answeredAt?.getTime() ?? null,
    answered_by: request.answeredBy,
    attempts: request.attempts,
    last_error: request.lastError,
    outcome: request.outcome,
    outcome_at: request.outcomeAt?.getTime() ?? null,
    amount: presentAmount(request.amountMicros, request.currency),
    refunded_amount: presentAmount(request.refundedMicros, request.currency),
    note: request.note,
    facts: request.facts,
    body_sent: request.bodySent,
  };
}
