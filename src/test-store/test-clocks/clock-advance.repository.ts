import { Injectable } from '@nestjs/common';
import type { Plan } from '../../../libs/stores/index.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf, renewalValues } from '../../platform/jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { isFree, leaseEnd } from '../../platform/jobs/leases.sql.js';

export interface AdvancingClock extends LeasedItem {
  projectId: string;
  id: string;
  targetAtMs: number;
  plan: Plan;
}

/** Leases up to $3 advancing clocks that no process holds. */
const claimClocks = statement(
  'test_clocks.claim_clocks',
  `WITH due AS MATERIALIZED (
     SELECT k.project_id, k.id FROM test_clocks k
     JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
     WHERE k.target_at IS NOT NULL AND NOT k.failed AND coalesce(k.due_at <= $1, true) AND ${isFree('k.lease_until')}
       AND ${isHere('k.project_id')}
     ORDER BY k.project_id, k.id LIMIT $3 FOR UPDATE OF k SKIP LOCKED
   )
   UPDATE test_clocks k SET lease_until = ${leaseEnd('$1', '$2')} FROM due
   WHERE k.project_id = due.project_id AND k.id = due.id
   RETURNING k.project_id AS "projectId", k.id, ${epochMs('k.target_at')} AS "targetAtMs", k.plan,
     k.lease_until AS "leaseUntil"`,
);

const leases: LeasedTable<AdvancingClock> = {
  table: 'test_clocks',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

const renew = statement('test_clocks.renew', renewalOf(leases));

const release = statement(
  'test_clocks.release',
  `UPDATE test_clocks SET lease_until = NULL, due_at = CASE WHEN target_at IS NULL THEN NULL ELSE $4::timestamptz END
   WHERE project_id = $1 AND id = $2 AND lease_until = $3`,
);

/** One customer who is behind the clock and not locked by another transaction. */
const claim = statement(
  'test_clocks.claim',
  `SELECT c.id FROM customers c
   WHERE c.project_id = $1 AND c.test_clock_id = $2 AND c.test_clock_at < $3 AND ${isHere('$1')}
   ORDER BY c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
);

const setTime = statement(
  'test_clocks.set_time',
  `UPDATE customers SET test_clock_at = $3 WHERE project_id = $1 AND id = $2`,
);

/** Only once no customer is behind. */
const finish = statement(
  'test_clocks.finish',
  `UPDATE test_clocks k SET frozen_at = target_at, target_at = NULL
   WHERE k.project_id = $1 AND k.id = $2 AND k.target_at = $3 AND NOT EXISTS (
     SELECT 1 FROM customers c
     WHERE c.project_id = $1 AND c.test_clock_id = k.id AND c.test_clock_at < k.target_at)`,
);

const fail = statement(
  'test_clocks.fail',
  `UPDATE test_clocks SET failed = true, failed_customer_id = $3 WHERE project_id = $1 AND id = $2 AND target_at IS NOT NULL`,
);

@Injectable()
export class ClockAdvanceRepository {
  constructor(private readonly database: DatabaseService) {}

  claimClocks({ now, againAt }: LeaseTerms, limit: number): Promise<AdvancingClock[]> {
    return this.database.query(claimClocks, [now, againAt, limit]);
  }

  async renew(held: HeldItem<AdvancingClock>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  /** Ends a lease that is still held. If the clock is still advancing, it is due again at `dueAt`. */
  async release({ projectId, id }: AdvancingClock, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(release, [projectId, id, leaseUntil, dueAt]);
  }

  /** Locks a customer who is behind; null if none is available. */
  async claim(tx: Transaction, { projectId, id, targetAtMs }: AdvancingClock): Promise<string | null> {
    const rows = await tx.query<{ id: string }>(claim, [projectId, id, new Date(targetAtMs)]);
    return rows[0]?.id ?? null;
  }

  async setTime(tx: Transaction, projectId: string, customerId: string, atMs: number): Promise<void> {
    await tx.query(setTime, [projectId, customerId, new Date(atMs)]);
  }

  async finish({ projectId, id, targetAtMs }: AdvancingClock): Promise<void> {
    await this.database.query(finish, [projectId, id, new Date(targetAtMs)]);
  }

  /** `customerId`: the customer who could not be advanced; null if none was reached. */
  async fail({ projectId, id }: AdvancingClock, customerId: string | null): Promise<void> {
    await this.database.query(fail, [projectId, id, customerId]);
  }
}
