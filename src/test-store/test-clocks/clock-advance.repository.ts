import { Injectable } from '@nestjs/common';
import type { Plan } from '../../../libs/stores/index.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { type LeasedTable, renewalOf, renewalValues } from '../../platform/jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { leaseEach, leaseOf } from '../../platform/jobs/small-queue.js';
import { isFree } from '../../platform/jobs/leases.sql.js';

export interface AdvancingClock extends LeasedItem {
  projectId: string;
  id: string;
  targetAtMs: number;
  plan: Plan;
}

type ClaimedClock = Omit<AdvancingClock, 'targetAtMs'> & { targetAt: Date };

const isDue = (row: string, now: string): string =>
  `${row}.target_at IS NOT NULL AND NOT ${row}.failed AND coalesce(${row}.due_at <= ${now}, true)`;

/** At most $2 advancing clocks that are due at $1 and that no process works on. */
const dueClocks = acrossProjects(
  'test_clocks.due_clocks',
  `SELECT k.project_id AS "projectId", k.id FROM test_clocks k
   JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
   WHERE ${isDue('k', '$1')} AND ${isFree('k.lease_until')} AND ${isHere('k.project_id')}
   ORDER BY k.project_id, k.id LIMIT $2::int`,
);

const leases: LeasedTable<AdvancingClock> = {
  table: 'test_clocks',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

const claimClock = statement(
  'test_clocks.claim_clock',
  leaseOf(leases, {
    isDue,
    returning: 'q.project_id AS "projectId", q.id, q.target_at AS "targetAt", q.plan',
  }),
);

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

  /** Leases at most `limit` advancing clocks that no other process works on. */
  async claimClocks(terms: LeaseTerms, limit: number): Promise<AdvancingClock[]> {
    const due = await this.database.query<Pick<AdvancingClock, 'projectId' | 'id'>>(dueClocks, [
      terms.now,
      limit,
    ]);
    const keys = due.map(({ projectId, id }) => [projectId, id]);
    const claimed = await leaseEach<ClaimedClock>(this.database, claimClock, keys, terms);
    return claimed.map(({ targetAt, ...clock }) => ({ ...clock, targetAtMs: targetAt.getTime() }));
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
