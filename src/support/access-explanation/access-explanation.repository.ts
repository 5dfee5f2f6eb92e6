import { Injectable } from '@nestjs/common';
import type { SubscriptionRow, OneTimeRow } from '../../customers/customers/identity/customer-state.js';
import type { Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { OwnershipChangeRow } from '../../purchases/ownership/ownership-changes.repository.js';
import { subscriptionColumns, oneTimeColumns } from '../../purchases/lookups/purchase-columns.sql.js';

/** One more than an embedded list shows, to detect that there are more. */
const CHANGES_EACH = 101;

/** Purchases that the customer ($2) used to own. */
const given = `ARRAY(SELECT purchase_id FROM ownership_changes WHERE project_id = $1 AND from_customer_id = $2)`;

const subscriptionsGiven = statement(
  'access_explanation.subscriptions_given',
  `SELECT ${subscriptionColumns} FROM subscriptions t
   WHERE t.project_id = $1 AND t.id = ANY (${given}) AND t.customer_id <> $2`,
);

const oneTimeGiven = statement(
  'access_explanation.one_time_given',
  `SELECT ${oneTimeColumns} FROM one_time_purchases t
   WHERE t.project_id = $1 AND t.id = ANY (${given}) AND t.customer_id <> $2`,
);

const changes = statement(
  'access_explanation.ownership_changes',
  `SELECT o.id, o.purchase_id AS "purchaseId", o.occurred_at AS "occurredAt",
     o.from_customer_id AS "fromCustomerId", o.from_app_user_id AS "fromAppUserId",
     o.to_customer_id AS "toCustomerId", o.to_app_user_id AS "toAppUserId", o.rule, o.is_restore AS "isRestore",
     o.request_id AS "requestId"
   FROM unnest($2::text[]) AS wanted(purchase_id) CROSS JOIN LATERAL (
     SELECT * FROM ownership_changes c WHERE c.project_id = $1 AND c.purchase_id = wanted.purchase_id
     ORDER BY c.occurred_at DESC, c.id DESC LIMIT ${CHANGES_EACH}) o
   ORDER BY o.occurred_at DESC, o.id DESC`,
);

const blockedAt = statement(
  'access_explanation.blocked_at',
  `SELECT min(b.blocked_at) AS at FROM customer_aliases a
   JOIN blocked_customers b ON b.project_id = $1 AND b.app_user_id = a.app_user_id
   WHERE a.project_id = $1 AND a.customer_id = $2`,
);

@Injectable()
export class AccessExplanationRepository {
  /** Subscriptions that the customer used to own and that now belong to another customer. */
  subscriptionsGiven(executor: Executor, projectId: string, customerId: string): Promise<SubscriptionRow[]> {
    return executor.query(subscriptionsGiven, [projectId, customerId]);
  }

  oneTimeGiven(executor: Executor, projectId: string, customerId: string): Promise<OneTimeRow[]> {
    return executor.query(oneTimeGiven, [projectId, customerId]);
  }

  changes(executor: Executor, projectId: string, purchaseIds: string[]): Promise<OwnershipChangeRow[]> {
    return executor.query(changes, [projectId, purchaseIds]);
  }

  /** When the customer was first blocked; null if not blocked. */
  async blockedAt(executor: Executor, projectId: string, customerId: string): Promise<Date | null> {
    const [row] = await executor.query<{ at: Date | null }>(blockedAt, [projectId, customerId]);
    return row?.at ?? null;
  }
}
