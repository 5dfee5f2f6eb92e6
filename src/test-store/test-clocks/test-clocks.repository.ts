import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Plan } from '../../../libs/stores/index.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { TestClockRow } from './test-clock.entity.js';

export interface TestClock {
  id: string;
  name: string;
  /** The current time of its customers, epoch ms. */
  frozenAtMs: number;
  /** The time to which they are advancing; null if the clock is ready. */
  targetAtMs: number | null;
  /** Completed share of the advance, 0 to 1; null if ready, or if an older version of the server started it. */
  progress: number | null;
  /** A customer could not be advanced. */
  failed: boolean;
  /** The customer who failed and the time reached; null if none failed, or if the customer was deleted. */
  stoppedAt: { appUserId: string; atMs: number } | null;
  plan: Plan;
  createdAt: Date;
  /** The original app user ids of its customers. */
  customerIds: string[];
  /** The earliest end of a current period, epoch ms; null if no subscription is active. */
  periodEndsAtMs: number | null;
}

const customersOf = statement(
  'test_clocks.customers_of',
  `SELECT c.test_clock_id AS "clockId", c.id, c.original_app_user_id AS "appUserId",
     ${epochMs('c.test_clock_at')} AS "atMs", ${epochMs('s.ends_at')} AS "endsAtMs"
   FROM customers c
   CROSS JOIN LATERAL (
     SELECT min(s.access_ends_at) AS ends_at FROM subscriptions s
     WHERE s.project_id = $1 AND s.customer_id = c.id AND s.store = 'test_store'
       AND s.access_ends_at > c.test_clock_at) s
   WHERE c.project_id = $1 AND c.test_clock_id = ANY($2) ORDER BY c.original_app_user_id COLLATE "C"`,
);

const setTarget = statement(
  'test_clocks.set_target',
  `UPDATE test_clocks k SET target_at = $3, failed = false, failed_customer_id = NULL, due_at = NULL, advance_ms = (
     SELECT coalesce(sum(${epochMs('$3::timestamptz')} - ${epochMs('c.test_clock_at')}), 0)
     FROM customers c WHERE c.project_id = $1 AND c.test_clock_id = $2 AND c.test_clock_at < $3)
   WHERE k.project_id = $1 AND k.id = $2`,
);

const lockCustomers = statement(
  'test_clocks.lock_customers',
  `SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.test_clock_id = $2 ORDER BY c.id FOR UPDATE OF c`,
);

const soldProducts = statement(
  'test_clocks.sold_products',
  `SELECT DISTINCT s.app_id AS "appId", s.store_product_id AS "storeProductId"
   FROM customers c JOIN subscriptions s ON s.project_id = $1 AND s.customer_id = c.id
   WHERE c.project_id = $1 AND c.test_clock_id = $2 AND s.store = 'test_store' AND s.status <> 'expired'`,
);

/**
 * The clock now handles due work, except for grants of a deleted entitlement, which end immediately. The new version
 * makes waiting readers read again.
 */
const attach = statement(
  'test_clocks.attach',
  `WITH due AS (
     UPDATE subscriptions s SET next_due_at = NULL WHERE project_id = $1 AND customer_id = $2
       AND (s.granted_entitlement_id IS NULL OR EXISTS (
         SELECT 1 FROM entitlements e WHERE e.project_id = $1 AND e.id = s.granted_entitlement_id))
   )
   UPDATE customers SET test_clock_id = $3, test_clock_at = $4, version = version + 1
   WHERE project_id = $1 AND id = $2`,
);

interface ClockCustomer {
  id: string;
  appUserId: string;
  atMs: number;
  endsAtMs: number | null;
}

function progressOf({ targetAt, advanceMs }: TestClockRow, customers: ClockCustomer[]): number | null {
  if (targetAt === null || advanceMs === null) return null;
  const behind = customers.map(({ atMs }) => Math.max(0, targetAt.getTime() - atMs));
  const restMs = behind.reduce((sum, ms) => sum + ms, 0);
  return restMs === 0 ? 1 : Math.max(0, 1 - restMs / advanceMs);
}

function clockOf(row: TestClockRow, customers: ClockCustomer[]): TestClock {
  const { id, name, frozenAt, targetAt, failed, plan, createdAt } = row;
  const ends = customers.flatMap(({ endsAtMs }) => endsAtMs ?? []);
  const stopped = failed && customers.find((customer) => customer.id === row.failedCustomerId);
  return {
    id,
    name,
    frozenAtMs: frozenAt.getTime(),
    targetAtMs: targetAt?.getTime() ?? null,
    progress: progressOf(row, customers),
    failed,
    stoppedAt: stopped ? { appUserId: stopped.appUserId, atMs: stopped.atMs } : null,
    plan,
    createdAt,
    customerIds: customers.map(({ appUserId }) => appUserId),
    periodEndsAtMs: ends.length === 0 ? null : Math.min(...ends),
  };
}

@Injectable()
export class TestClocksRepository {
  constructor(
    @InjectRepository(TestClockRow) private readonly clocks: Repository<TestClockRow>,
    private readonly database: DatabaseService,
  ) {}

  async find(projectId: string, id: string, tx?: Executor): Promise<TestClock | null> {
    const row = await onTransaction(this.clocks, tx).findOneBy({ projectId, id });
    return row && this.withCustomers(row, tx);
  }

  /** Locks a clock until the transaction ends. Call before locking customers. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<TestClock | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    const row = await onTransaction(this.clocks, tx).findOne({ where: { projectId, id }, lock });
    // A separate statement, so that it sees customers who were attached while this one waited for the lock.
    return row && this.withCustomers(row, tx);
  }

  /** Up to `limit + 1` rows after the cursor, oldest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, page: PageRequest): Promise<TestClock[]> {
    return this.allWithCustomers(
      projectId,
      await keysetPage(this.clocks, { projectId }, page),
      this.database,
    );
  }

  async insert(tx: Transaction, projectId: string, clock: TestClock): Promise<void> {
    const { id, name, frozenAtMs, plan, createdAt } = clock;
    const row = { projectId, id, name, frozenAt: new Date(frozenAtMs), plan, createdAt };
    await onTransaction(this.clocks, tx).insert(row);
  }

  async update(tx: Transaction, projectId: string, { id, name, plan }: TestClock): Promise<void> {
    await onTransaction(this.clocks, tx).update({ projectId, id }, { name, plan });
  }

  /** The clock must be locked. */
  async setTarget(tx: Transaction, projectId: string, id: string, targetAtMs: number): Promise<void> {
    await tx.query(setTarget, [projectId, id, new Date(targetAtMs)]);
  }

  async remove(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.clocks, tx).delete({ projectId, id });
  }

  /** Locks the customers of a locked clock. Returns their ids. */
  async lockCustomers(tx: Transaction, projectId: string, id: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(lockCustomers, [projectId, id])).map((row) => row.id);
  }

  /** Test Store products to which a clock's customers are subscribed. */
  soldProducts(
    tx: Transaction,
    projectId: string,
    id: string,
  ): Promise<{ appId: string | null; storeProductId: string }[]> {
    return tx.query(soldProducts, [projectId, id]);
  }

  /** The customer must be locked. */
  async attach(
    tx: Transaction,
    projectId: string,
    { customerId, clockId, atMs }: { customerId: string; clockId: string; atMs: number },
  ): Promise<void> {
    await tx.query(attach, [projectId, customerId, clockId, new Date(atMs)]);
  }

  private async withCustomers(row: TestClockRow, executor?: Executor): Promise<TestClock | null> {
    return (await this.allWithCustomers(row.projectId, [row], executor ?? this.database))[0] ?? null;
  }

  private async allWithCustomers(
    projectId: string,
    rows: TestClockRow[],
    executor: Executor,
  ): Promise<TestClock[]> {
    const ids = rows.map(({ id }) => id);
    const customers = await executor.query<ClockCustomer & { clockId: string }>(customersOf, [
      projectId,
      ids,
    ]);
    return rows.map((row) =>
      clockOf(
        row,
        customers.filter(({ clockId }) => clockId === row.id),
      ),
    );
  }
}
