import { Injectable } from '@nestjs/common';
import type { Plan } from '../../../libs/stores/index.js';
import type { Executor, Transaction } from '../../platform/database/database.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';

export interface TestClock {
  id: string;
  name: string;
  /** What time it is for its customers, epoch ms. */
  frozenAtMs: number;
  /** Where to they are being brought; null: nowhere. */
  targetAtMs: number | null;
  /** One of them could not be brought there. */
  failed: boolean;
  plan: Plan;
  createdAt: Date;
  /** The original app user ids of its customers. */
  customerIds: string[];
}

const clocks = `
  SELECT k.id, k.name, ${epochMs('k.frozen_at')} AS "frozenAtMs", ${epochMs('k.target_at')} AS "targetAtMs", k.failed,
    k.plan, k.created_at AS "createdAt", ARRAY(
      SELECT c.original_app_user_id FROM customers c WHERE c.project_id = k.project_id AND c.test_clock_id = k.id
      ORDER BY c.original_app_user_id COLLATE "C") AS "customerIds"
  FROM test_clocks k WHERE k.project_id = $1`;

const find = statement('test_clocks.find', `${clocks} AND k.id = $2`);
const lock = statement(
  'test_clocks.lock',
  'SELECT 1 FROM test_clocks k WHERE k.project_id = $1 AND k.id = $2 FOR UPDATE OF k',
);

const firstPage = statement('test_clocks.first_page', `${clocks} ORDER BY k.created_at, k.id LIMIT $2`);
const nextPage = statement(
  'test_clocks.next_page',
  `${clocks} AND (k.created_at, k.id) > ($3, $4) ORDER BY k.created_at, k.id LIMIT $2`,
);

const insert = statement(
  'test_clocks.insert',
  `INSERT INTO test_clocks (project_id, id, name, frozen_at, plan, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

const update = statement(
  'test_clocks.update',
  `UPDATE test_clocks SET name = $3, plan = $4 WHERE project_id = $1 AND id = $2`,
);

const setTarget = statement(
  'test_clocks.set_target',
  `UPDATE test_clocks SET target_at = $3, failed = false WHERE project_id = $1 AND id = $2`,
);

const remove = statement('test_clocks.remove', `DELETE FROM test_clocks WHERE project_id = $1 AND id = $2`);

const lockCustomers = statement(
  'test_clocks.lock_customers',
  `SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.test_clock_id = $2 ORDER BY c.id FOR UPDATE OF c`,
);

const soldProducts = statement(
  'test_clocks.sold_products',
  `SELECT DISTINCT s.app_id AS "appId", s.store_product_id AS "storeProductId"
   FROM customers c JOIN subscriptions s ON s.project_id = c.project_id AND s.customer_id = c.id
   WHERE c.project_id = $1 AND c.test_clock_id = $2 AND s.store = 'test_store' AND s.status <> 'expired'`,
);

/**
 * The clock attends to what is due from now on, but for grants of a deleted entitlement: their time has come, whatever
 * the clock says. A waiting reader sees by the version that it has to look again.
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

/** Queries on test clocks. */
@Injectable()
export class TestClocksRepository {
  async find(executor: Executor, projectId: string, id: string): Promise<TestClock | null> {
    return (await executor.query<TestClock>(find, [projectId, id]))[0] ?? null;
  }

  /** A clock, locked until the transaction ends. Always before customers. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<TestClock | null> {
    await tx.query(lock, [projectId, id]);
    // By a statement of its own, which sees the customers that came while this one waited.
    return this.find(tx, projectId, id);
  }

  /** One more than a page behind `after`, oldest first. */
  page(
    executor: Executor,
    projectId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<TestClock[]> {
    return after === null
      ? executor.query(firstPage, [projectId, limit + 1])
      : executor.query(nextPage, [projectId, limit + 1, ...after]);
  }

  async insert(tx: Transaction, projectId: string, clock: TestClock): Promise<void> {
    const { id, name, frozenAtMs, plan, createdAt } = clock;
    await tx.query(insert, [projectId, id, name, new Date(frozenAtMs), plan, createdAt]);
  }

  async update(tx: Transaction, projectId: string, { id, name, plan }: TestClock): Promise<void> {
    await tx.query(update, [projectId, id, name, plan]);
  }

  /** Has the customers of a locked clock brought to a time. */
  async setTarget(tx: Transaction, projectId: string, id: string, targetAtMs: number): Promise<void> {
    await tx.query(setTarget, [projectId, id, new Date(targetAtMs)]);
  }

  async remove(tx: Transaction, projectId: string, id: string): Promise<void> {
    await tx.query(remove, [projectId, id]);
  }

  /** Locks the customers of a locked clock; gives their own ids. */
  async lockCustomers(tx: Transaction, projectId: string, id: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(lockCustomers, [projectId, id])).map((row) => row.id);
  }

  /** Products of the Test Store that customers of a clock are subscribed to. */
  soldProducts(
    tx: Transaction,
    projectId: string,
    id: string,
  ): Promise<{ appId: string | null; storeProductId: string }[]> {
    return tx.query(soldProducts, [projectId, id]);
  }

  /** Lets a locked customer live by a clock from a time on. */
  async attach(
    tx: Transaction,
    projectId: string,
    { customerId, clockId, atMs }: { customerId: string; clockId: string; atMs: number },
  ): Promise<void> {
    await tx.query(attach, [projectId, customerId, clockId, new Date(atMs)]);
  }
}
