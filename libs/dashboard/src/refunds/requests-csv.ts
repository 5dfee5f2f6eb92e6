import { saveListAsCsv } from '../frame/jobs/list-csv.js';
import { isoTime } from '../ui/format/csv.js';
import { type RefundRequest, type RequestFilter, requestsPage } from './requests.queries.js';

/** Saves all refund requests that match the filter, with times in UTC. */
export function saveRequests(projectId: string, filter: RequestFilter): void {
  saveListAsCsv<RefundRequest>({
    name: 'refund-requests',
    header: [
      'id',
      'requested_at',
      'deadline_at',
      'customer_id',
      'app_id',
      'store',
      'environment',
      'transaction_id',
      'order_id',
      'amount',
      'currency',
      'reason',
      'answer_status',
      'preference',
      'policy_name',
      'answered_at',
      'answered_by',
      'outcome',
      'outcome_at',
    ],
    row: (request) => [
      request.id,
      isoTime(request.requested_at),
      isoTime(request.deadline_at),
      request.customer_id,
      request.app_id,
      request.store,
      request.environment,
      request.transaction_id,
      request.order_id,
      request.amount?.gross,
      request.amount?.currency,
      request.reason,
      request.answer_status,
      request.preference,
      request.policy_name,
      isoTime(request.answered_at),
      request.answered_by,
      request.outcome,
      isoTime(request.outcome_at),
    ],
    page: requestsPage(projectId, filter),
  });
}
