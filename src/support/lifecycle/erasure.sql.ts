import { isHere } from '../../platform/data-location/is-here.sql.js';
import {
  acrossProjects,
  longStatement,
  type Statement,
  statement,
} from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf } from '../../platform/jobs/app-queues.sql.js';
import { leaseOf } from '../../platform/jobs/small-queue.js';
import { isFree } from '../../platform/jobs/leases.sql.js';

/** Tables in which a customer may have very many rows, with the key columns of those rows. */
const longTables = {
  transactions: ['store_transactions', 'recorded_at', 'id'],
  currency_transactions: ['virtual_currency_transactions', 'created_at', 'id', 'code'],
  currency_lots: ['virtual_currency_lots', 'code', 'id'],
  days: ['customer_days', 'day'],
  sdk_events: ['sdk_events', 'at', 'id'],
} as const;

export type LongTable = keyof typeof longTables;

export const longTableNames = Object.keys(longTables) as LongTable[];

/** Selects rows `t` of a customer. Events of SDKs have an app user id, as long as the customer has it. */
const isOf = (name: LongTable, customer: string): string =>
  name === 'sdk_events'
    ? `t.app_user_id = ANY (ARRAY(SELECT app_user_id FROM customer_aliases
         WHERE project_id = $1 AND customer_id = ${customer}))`
    : `t.customer_id = ${customer}`;

/** The tables in which the customer with app user id $2 has more than $3 rows. */
export const findLongTables = statement(
  'erasure.long_tables',
  `SELECT a.customer_id AS "customerId", ${longTableNames
    .map(
      (name) => `EXISTS (SELECT FROM ${longTables[name][0]} t
        WHERE t.project_id = $1 AND ${isOf(name, 'a.customer_id')} OFFSET $3) AS ${name}`,
    )
    .join(', ')}
   FROM customer_aliases a WHERE a.project_id = $1 AND a.app_user_id = $2`,
);

function trimming(name: LongTable): Statement {
  const [table, ...key] = longTables[name];
  return statement(
    `erasure.trim_${name}`,
    `DELETE FROM ${table} t
     USING (SELECT ${key.join(', ')} FROM ${table} t WHERE t.project_id = $1 AND ${isOf(name, '$2')} LIMIT $3) d
     WHERE t.project_id = $1 AND ${isOf(name, '$2')} AND ${key.map((column) => `t.${column} = d.${column}`).join(' AND ')}
     RETURNING 1`,
  );
}

/** Removes at most $3 rows of a customer from one of the tables. */
export const trim: Record<LongTable, Statement> = {
  transactions: trimming('transactions'),
  currency_transactions: trimming('currency_transactions'),
  currency_lots: trimming('currency_lots'),
  days: trimming('days'),
  sdk_events: trimming('sdk_events'),
};

/**
 * Transfers and redemptions belong to two histories: the other side keeps its own, without this customer's ids and
 * attributes.
 */
export const leaveTransfers = longStatement(
  'erasure.leave_transfers',
  `UPDATE events SET
     body = (body::jsonb || CASE
       WHEN type = 'PURCHASE_REDEEMED' AND customer_id = $2
         THEN '{"app_user_id": null, "redeemed_by": []}'::jsonb
       WHEN type = 'PURCHASE_REDEEMED' THEN '{"redeemed_from": null}'::jsonb
       WHEN customer_id = $2 THEN '{"transferred_to": [], "subscriber_attributes": {}}'::jsonb
       ELSE '{"transferred_from": []}'::jsonb END)::json,
     customer_id = CASE WHEN customer_id = $2 THEN other_customer_id ELSE customer_id END,
     other_customer_id = NULL
   WHERE project_id = $1 AND other_customer_id IS NOT NULL AND customer_id <> other_customer_id
     AND (customer_id = $2 OR other_customer_id = $2)`,
);

/** Deliveries of transfers and redemptions may hold this customer's data, whichever side the customer is. */
export const leaveDeliveries = longStatement(
  'erasure.leave_deliveries',
  `WITH shared AS (
     SELECT created_at, id FROM events
     WHERE project_id = $1 AND other_customer_id IS NOT NULL AND customer_id <> other_customer_id
       AND (customer_id = $2 OR other_customer_id = $2)
   ), sent AS (
     SELECT w.created_at, w.id FROM shared e
     JOIN webhook_deliveries w ON w.project_id = $1 AND w.created_at = e.created_at AND w.event_id = e.id
     UNION
     SELECT w.created_at, w.id FROM shared e
     JOIN webhook_deliveries w ON w.project_id = $1 AND w.replay AND w.event_id = e.id
   )
   UPDATE webhook_deliveries w SET customer_info = NULL FROM sent
   WHERE w.project_id = $1 AND w.created_at = sent.created_at AND w.id = sent.id AND w.customer_info IS NOT NULL`,
);

const forgetFirstOwner = (table: string): string => `
  UPDATE ${table} t SET original_customer_id = c.id, original_customer_app_user_id = c.original_app_user_id
  FROM customers c
  WHERE t.project_id = $1 AND c.project_id = $1 AND c.id = t.customer_id AND c.id <> $2
    AND t.id = ANY (ARRAY(
      SELECT purchase_id FROM ownership_changes WHERE project_id = $1 AND from_customer_id = $2))
    AND t.original_customer_app_user_id = ANY (ARRAY(
      SELECT app_user_id FROM customer_aliases WHERE project_id = $1 AND customer_id = $2))`;

/** Removes this customer as the first owner of purchases that now belong to others. */
export const leavePurchases = statement(
  'erasure.leave_purchases',
  `WITH subscriptions AS (${forgetFirstOwner('subscriptions')}) ${forgetFirstOwner('one_time_purchases')}`,
);

/**
 * Erases at most $3 events of a customer with their deliveries: a delivery without its event could never be sent. The
 * first delivery has its event's time; replays have their own.
 */
export const eraseEvents = longStatement(
  'erasure.events',
  `WITH doomed AS (
     SELECT created_at, id FROM events WHERE project_id = $1 AND customer_id = $2 LIMIT $3
   ), gone AS (
     DELETE FROM events e USING doomed d
     WHERE e.project_id = $1 AND e.created_at = d.created_at AND e.id = d.id RETURNING e.created_at, e.id
   ), sent AS (
     SELECT w.created_at, w.id FROM gone g
     JOIN webhook_deliveries w ON w.project_id = $1 AND w.created_at = g.created_at AND w.event_id = g.id
     UNION
     SELECT w.created_at, w.id FROM gone g
     JOIN webhook_deliveries w ON w.project_id = $1 AND w.replay AND w.event_id = g.id
   ), deliveries AS (
     DELETE FROM webhook_deliveries w USING sent
     WHERE w.project_id = $1 AND w.created_at = sent.created_at AND w.id = sent.id RETURNING w.id
   ), attempts AS (
     DELETE FROM webhook_attempts a USING deliveries d WHERE a.project_id = $1 AND a.delivery_id = d.id
   )
   SELECT count(*)::int AS events FROM gone`,
);

/** $4: app user id for the audit row of the completion, null for none; $5: rows removed so far. */
export const enqueueErasure = statement(
  'erasure.enqueue',
  `INSERT INTO customer_erasures (project_id, customer_id, requested_at, app_user_id, erased)
   VALUES ($1, $2, $3, $4, $5)`,
);

/** Saves what has been removed so far and ends the lease: the next batch is claimed separately. */
export const recordErased = statement(
  'erasure.note',
  `UPDATE customer_erasures SET erased = $3, lease_until = NULL WHERE project_id = $1 AND customer_id = $2`,
);

/** At most $1 erasures that no process works on. */
export const freeErasures = acrossProjects(
  'erasure.free',
  `SELECT c.project_id AS "projectId", c.customer_id AS "customerId" FROM customer_erasures c
   WHERE ${isFree('c.lease_until')} AND ${isHere('c.project_id')} ORDER BY c.project_id, c.customer_id LIMIT $1::int`,
);

export const erasureLeases: LeasedTable<{ projectId: string; customerId: string }> = {
  table: 'customer_erasures',
  key: { project_id: 'projectId', customer_id: 'customerId' },
  leaseUntil: 'lease_until',
};

export const claimErasure = statement(
  'erasure.claim',
  leaseOf(erasureLeases, {
    isDue: () => 'true',
    returning: 'q.project_id AS "projectId", q.customer_id AS "customerId", q.app_user_id AS "appUserId"',
  }),
);

export const renewErasures = statement('erasure.renew', renewalOf(erasureLeases));

export const holdErasure = statement(
  'erasure.hold',
  `SELECT erased FROM customer_erasures
   WHERE project_id = $1 AND customer_id = $2 AND lease_until = $3 AND ${isHere('$1')} FOR UPDATE`,
);

export const finishErasure = statement(
  'erasure.finish',
  `DELETE FROM customer_erasures WHERE project_id = $1 AND customer_id = $2`,
);
