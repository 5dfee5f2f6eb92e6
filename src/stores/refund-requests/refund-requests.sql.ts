import { ownerOf } from '../../customers/customers/identity/customer-names.sql.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { clearanceOf, deletionOf, type OldRows } from '../../platform/jobs/batches.js';
import { isFree } from '../../platform/jobs/leases.sql.js';
import { type AppQueue, appsWithWorkDue, leasedOf, renewalOf } from '../../platform/jobs/app-queues.sql.js';

export const queue: AppQueue<{ projectId: string; id: string }> = {
  table: 'refund_requests',
  key: { project_id: 'projectId', id: 'id' },
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

/** Column by field of the entity. */
const fields = {
  project_id: 'projectId',
  id: 'id',
  app_id: 'appId',
  store: 'store',
  environment: 'environment',
  store_request_key: 'storeRequestKey',
  is_unverified: 'isUnverified',
  sealed_refund_token: 'sealedRefundToken',
  customer_id: 'customerId',
  subscription_id: 'subscriptionId',
  purchase_id: 'purchaseId',
  product_id: 'productId',
  purchase_key: 'purchaseKey',
  store_product_id: 'storeProductId',
  transaction_id: 'transactionId',
  order_id: 'orderId',
  store_data: 'storeData',
  reason: 'reason',
  requested_at: 'requestedAt',
  received_at: 'receivedAt',
  deadline_at: 'deadlineAt',
  policy_id: 'policyId',
  policy_name: 'policyName',
  decided_by: 'decidedBy',
  preference: 'preference',
  delivery_status: 'deliveryStatus',
  consumption_percentage: 'consumptionPercentage',
  answer_status: 'answerStatus',
  answer_reason: 'answerReason',
  answered_at: 'answeredAt',
  answered_by: 'answeredBy',
  note: 'note',
  facts: 'facts',
  evidence: 'evidence',
  body_sent: 'bodySent',
  due_at: 'dueAt',
  lease_until: 'leaseUntil',
  attempts: 'attempts',
  last_error: 'lastError',
  last_error_at: 'lastErrorAt',
  outcome: 'outcome',
  outcome_at: 'outcomeAt',
  outcome_key: 'outcomeKey',
  amount_micros: 'amountMicros',
  currency: 'currency',
  usd_micros: 'usdMicros',
  refunded_micros: 'refundedMicros',
  refunded_usd_micros: 'refundedUsdMicros',
};

export const columns = Object.entries(fields)
  .map(([column, field]) => `r.${column} AS "${field}"`)
  .join(', ');

/** A request whose owner is unknown. */
export const insert = statement(
  'refund_requests.insert',
  `INSERT INTO refund_requests (project_id, id, app_id, store, environment, store_request_key, sealed_refund_token,
     purchase_key, store_product_id, transaction_id, order_id, store_data, reason, requested_at, received_at,
     deadline_at, amount_micros, currency, usd_micros, due_at, is_unverified, answer_status, attempts)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
     'waiting', 0)
   ON CONFLICT (project_id, app_id, store_request_key) DO NOTHING`,
);

export const lockByStoreKey = statement(
  'refund_requests.lock_by_store_key',
  `SELECT ${columns} FROM refund_requests r
   WHERE r.project_id = $1 AND r.app_id = $2 AND r.store_request_key = $3 FOR UPDATE`,
);

export const lock = statement(
  'refund_requests.lock',
  `SELECT ${columns} FROM refund_requests r WHERE r.project_id = $1 AND r.id = $2 FOR UPDATE`,
);

/** With the original app user id of the owner. */
export const shownColumns = `${columns}, c.original_app_user_id AS "customerAppUserId"`;

export const find = statement(
  'refund_requests.find',
  `SELECT ${shownColumns} FROM refund_requests r ${ownerOf('r')} WHERE r.project_id = $1 AND r.id = $2`,
);

/** Not while the answer is being sent: the decision that the store gets must be the one that is stored. */
const ofOpen = `project_id = $1 AND id = $2 AND answer_status IN ('waiting', 'held') AND ${isFree('lease_until')}`;

export const answerByPerson = statement(
  'refund_requests.answer_by_person',
  `UPDATE refund_requests SET preference = $3, decided_by = 'person', delivery_status = $4,
     consumption_percentage = $5, note = $6, answer_status = $7, answer_reason = $8, due_at = $9, answered_by = $10,
     sealed_refund_token = CASE WHEN $9::timestamptz IS NULL THEN NULL ELSE sealed_refund_token END
   WHERE ${ofOpen} RETURNING 1`,
);

export const setEvidence = statement(
  'refund_requests.set_evidence',
  `UPDATE refund_requests SET evidence = $3 WHERE ${ofOpen} RETURNING 1`,
);

export const setOwner = statement(
  'refund_requests.set_owner',
  `UPDATE refund_requests SET customer_id = $3, subscription_id = $4, purchase_id = $5, product_id = $6,
     store_product_id = $7, amount_micros = $8, currency = $9, usd_micros = $10, facts = $11, purchase_key = $12,
     environment = $13
   WHERE project_id = $1 AND id = $2`,
);

export const decide = statement(
  'refund_requests.decide',
  `UPDATE refund_requests SET preference = $3, decided_by = $4, policy_id = $5, policy_name = $6,
     answer_status = $7, answer_reason = $8, due_at = $9,
     sealed_refund_token = CASE WHEN $9::timestamptz IS NULL THEN NULL ELSE sealed_refund_token END
   WHERE project_id = $1 AND id = $2`,
);

export const setDueAt = statement(
  'refund_requests.set_due_at',
  `UPDATE refund_requests SET due_at = $3 WHERE project_id = $1 AND id = $2`,
);

export const countBefore = statement(
  'refund_requests.count_before',
  `SELECT count(*)::int AS count FROM refund_requests
   WHERE project_id = $1 AND customer_id = $2 AND requested_at < $3`,
);

const ofPayment = `r.project_id = $1 AND r.app_id = $2 AND r.environment = $3
  AND (r.transaction_id = $4 OR r.order_id = $4)`;

export const ownerOfOutcome = statement(
  'refund_requests.of_payment',
  `SELECT ${columns} FROM refund_requests r WHERE ${ofPayment} ORDER BY r.requested_at DESC, r.id DESC`,
);

/** Orders ($3) with a request that has no outcome. */
export const openOrders = statement(
  'refund_requests.open_orders',
  `SELECT DISTINCT order_id AS "orderId" FROM refund_requests
   WHERE project_id = $1 AND app_id = $2 AND order_id = ANY ($3::text[]) AND outcome IS NULL`,
);

export const setOutcome = statement(
  'refund_requests.set_outcome',
  `UPDATE refund_requests SET outcome = $3, outcome_at = $4, outcome_key = $5, refunded_micros = $6,
     refunded_usd_micros = $7
   WHERE project_id = $1 AND id = $2`,
);

export const appsDue = acrossProjects('refund_requests.apps_due', appsWithWorkDue(queue));

export const claim = statement(
  'refund_requests.claim',
  `${leasedOf(queue)}
   SELECT ${columns.replaceAll('r.', 'l.')} FROM leased l`,
);

export const renew = statement('refund_requests.renew', renewalOf(queue));

/** Only the holder of the lease ($3) may write, and nothing changes a final status. */
export const finish = statement(
  'refund_requests.finish',
  `UPDATE refund_requests SET answer_status = $4, answer_reason = $5, answered_at = $6, body_sent = $7, due_at = $8,
     attempts = $9, last_error = $10, last_error_at = $11, lease_until = NULL,
     is_unverified = is_unverified AND $4 <> 'sent',
     sealed_refund_token = CASE WHEN $8::timestamptz IS NULL THEN NULL ELSE sealed_refund_token END
   WHERE project_id = $1 AND id = $2 AND lease_until = $3 AND answer_status IN ('waiting', 'held')
   RETURNING 1`,
);

const oldRequests = (isOld: OldRows['isOld']): OldRows => ({
  table: 'refund_requests',
  key: ['project_id', 'id'],
  isOld,
});

/** Requests that no store decided about, made until a time: $2 for the App Store, $3 for Google Play. */
export const endOpen = clearanceOf(
  'refund_requests.end_open',
  oldRequests(
    (row) => `${row}.outcome IS NULL
      AND ${row}.requested_at <= CASE WHEN ${row}.store = 'play_store' THEN $3::timestamptz ELSE $2 END`,
  ),
  `outcome = 'no_resolution', outcome_at = $1`,
);

/** Deletes what describes the customer. */
export const clearDetails = clearanceOf(
  'refund_requests.clear_details',
  oldRequests(
    (row) => `${row}.requested_at <= $1 AND ${row}.due_at IS NULL AND (${row}.store_data IS NOT NULL
      OR ${row}.facts IS NOT NULL OR ${row}.evidence IS NOT NULL OR ${row}.body_sent IS NOT NULL)`,
  ),
  'store_data = NULL, facts = NULL, evidence = NULL, body_sent = NULL',
);

export const deleteOld = deletionOf(
  'refund_requests.delete_old',
  oldRequests((row) => `${row}.requested_at <= $1`),
);

/** Answers that wait for credentials are tried again once the store accepts them. */
export const retry = statement(
  'refund_requests.retry',
  `UPDATE refund_requests SET due_at = $3
   WHERE project_id = $1 AND app_id = $2 AND answer_status = 'waiting' AND preference IS NOT NULL AND due_at > $3
     AND lease_until IS NULL`,
);

/** The newest refused answer of each app since $2. */
export const refusals = statement(
  'refund_requests.refusals',
  `SELECT DISTINCT ON (r.app_id) r.app_id AS "appId", r.last_error_at AS at, r.last_error AS message
   FROM refund_requests r
   WHERE r.project_id = $1 AND r.requested_at > $2 AND r.answer_status = 'refused' AND r.last_error_at > $2
   ORDER BY r.app_id, r.last_error_at DESC`,
);
