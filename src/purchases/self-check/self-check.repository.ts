import { Injectable } from '@nestjs/common';
import { customerStateColumns } from '../../customers/customers/identity/customer-state.sql.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf, renewalValues } from '../../platform/jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { leaseEach, leaseOf } from '../../platform/jobs/small-queue.js';
import { isFree } from '../../platform/jobs/leases.sql.js';
import type { StoredCustomer } from './stored-state.js';

interface CheckedPlace {
  projectId: string;
  /** The next batch starts after this id. */
  afterCustomerId: string;
}

export type CheckedProject = CheckedPlace & LeasedItem;

/** Distributes projects over the day ($2, ms), each at its own fixed time. */
const register = statement(
  'self_checks.register',
  `INSERT INTO self_checks (project_id, due_at)
   SELECT a.project_id,
     $1::timestamptz + (hashtext(a.project_id)::bigint & 2147483647) % $2::bigint * interval '1 millisecond'
   FROM project_anchors a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   WHERE a.app_id = '' AND NOT EXISTS (SELECT 1 FROM self_checks s WHERE s.project_id = a.project_id)
     AND ${isHere('a.project_id')}
   ON CONFLICT (project_id) DO NOTHING`,
);

/** At most $2 projects that are due at $1 and that no process works on. */
const due = acrossProjects(
  'self_checks.due',
  `SELECT s.project_id AS "projectId" FROM self_checks s JOIN projects p ON p.id = s.project_id AND p.deleted_at IS NULL
   WHERE s.due_at <= $1 AND ${isFree('s.lease_until')} AND ${isHere('s.project_id')} ORDER BY s.due_at LIMIT $2::int`,
);

const leases: LeasedTable<CheckedProject> = {
  table: 'self_checks',
  key: { project_id: 'projectId' },
  leaseUntil: 'lease_until',
};

const claim = statement(
  'self_checks.claim',
  leaseOf(leases, {
    isDue: (row, now) => `${row}.due_at <= ${now}`,
    returning: 'q.project_id AS "projectId", q.after_customer_id AS "afterCustomerId"',
  }),
);

const renew = statement('self_checks.renew', renewalOf(leases));

const savePosition = statement(
  'self_checks.go_on_behind',
  `UPDATE self_checks SET after_customer_id = $2 WHERE project_id = $1`,
);

const dueAgain = statement(
  'self_checks.due_again',
  `UPDATE self_checks SET due_at = $3, lease_until = NULL WHERE project_id = $1 AND lease_until = $2`,
);

const nextCustomerIds = statement(
  'self_checks.ids_behind',
  `SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`,
);

/** An early due time is harmless, because due work decides by the facts. */
const makeDue = statement(
  'self_checks.make_due',
  `UPDATE subscriptions SET next_due_at = $3
   WHERE project_id = $1 AND id = ANY ($2::text[]) AND (next_due_at IS NULL OR next_due_at > $3)`,
);

const moneyOf = (table: string, column: string): string => `
  SELECT t.${column} AS "purchaseId", t.period_key AS "periodKey", t.currency, sum(t.amount_micros) AS sum
  FROM ${table} s JOIN store_transactions t ON t.project_id = $1 AND t.${column} = s.id
  WHERE s.project_id = $1 AND s.customer_id = c.id GROUP BY t.${column}, t.period_key, t.currency`;

/** One statement, so that all rows come from the same snapshot. */
const load = statement(
  'self_checks.load',
  `SELECT ${customerStateColumns},
     (SELECT coalesce(json_agg(json_build_object('id', t.id, 'status', t.status,
        'startedAtMs', ${epochMs('t.started_at')}, 'accessEndsAtMs', ${epochMs('t.access_ends_at')},
        'nextDueAtMs', ${epochMs('t.next_due_at')}, 'storeProductId', t.store_product_id)), '[]')
      FROM subscriptions t WHERE t.project_id = $1 AND t.customer_id = c.id) AS "storedSubscriptions",
     (SELECT coalesce(json_agg(json_build_object('id', t.id, 'status', t.status,
        'purchasedAtMs', ${epochMs('t.purchased_at')})), '[]')
      FROM one_time_purchases t WHERE t.project_id = $1 AND t.customer_id = c.id) AS "storedPurchases",
     (SELECT coalesce(json_agg(m), '[]') FROM (${moneyOf('subscriptions', 'subscription_id')}
        UNION ALL ${moneyOf('one_time_purchases', 'purchase_id')}) m) AS money,
     (SELECT json_build_object('customerVersion', s.customer_version, 'catalogVersion', s.catalog_version,
        'validUntilMs', ${epochMs('s.valid_until')}, 'subscriber', s.subscriber)
      FROM customer_snapshots s WHERE s.project_id = $1 AND s.customer_id = c.id) AS answer
   FROM customers c WHERE c.project_id = $1 AND c.id = ANY ($2::text[])`,
);

@Injectable()
export class SelfCheckRepository {
  constructor(private readonly database: DatabaseService) {}

  async register(now: Date, withinMs: number): Promise<void> {
    await this.database.query(register, [now, withinMs]);
  }

  async claim(terms: LeaseTerms, limit: number): Promise<CheckedProject[]> {
    const found = await this.database.query<{ projectId: string }>(due, [terms.now, limit]);
    const keys = found.map(({ projectId }) => [projectId]);
    return leaseEach(this.database, claim, keys, terms);
  }

  async renew(held: HeldItem<CheckedProject>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  /** Ends a lease that is still held. The project is due again at `dueAt`. */
  async dueAgain(projectId: string, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(dueAgain, [projectId, leaseUntil, dueAt]);
  }

  async savePosition({ projectId, afterCustomerId }: CheckedPlace): Promise<void> {
    await this.database.query(savePosition, [projectId, afterCustomerId]);
  }

  async nextCustomerIds({ projectId, afterCustomerId }: CheckedPlace, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(nextCustomerIds, [
      projectId,
      afterCustomerId,
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Marks subscriptions as due, so that due work emits their remaining events. */
  async makeDue(projectId: string, ids: (string | null)[], now: Date): Promise<void> {
    await this.database.query(makeDue, [projectId, ids, now]);
  }

  load(projectId: string, customerIds: string[]): Promise<StoredCustomer[]> {
    return this.database.query(load, [projectId, customerIds]);
  }
}
