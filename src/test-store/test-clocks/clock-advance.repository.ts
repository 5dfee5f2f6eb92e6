import { Injectable } from '@nestjs/common';
import type { Plan } from '../../../libs/stores/index.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';

/** A clock whose customers are being brought to a time. */
export interface AdvancingClock {
  projectId: string;
  id: string;
  targetAtMs: number;
  plan: Plan;
}

const advancing = statement(
  'test_clocks.advancing',
  `SELECT k.project_id AS "projectId", k.id, ${epochMs('k.target_at')} AS "targetAtMs", k.plan FROM test_clocks k
   JOIN projects p ON p.id = k.project_id AND p.deleted_at IS NULL
   WHERE k.target_at IS NOT NULL AND NOT k.failed ORDER BY k.project_id, k.id`,
);

/** One customer who is behind and whom nobody else holds. */
const claim = statement(
  'test_clocks.claim',
  `SELECT c.id FROM customers c
   WHERE c.project_id = $1 AND c.test_clock_id = $2 AND c.test_clock_at < $3
   ORDER BY c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
);

const setTime = statement(
  'test_clocks.set_time',
  `UPDATE customers SET test_clock_at = $3 WHERE project_id = $1 AND id = $2`,
);

/** Only once nobody is behind any more. */
const finish = statement(
  'test_clocks.finish',
  `UPDATE test_clocks k SET frozen_at = target_at, target_at = NULL
   WHERE k.project_id = $1 AND k.id = $2 AND k.target_at = $3 AND NOT EXISTS (
     SELECT 1 FROM customers c
     WHERE c.project_id = k.project_id AND c.test_clock_id = k.id AND c.test_clock_at < k.target_at)`,
);

const fail = statement(
  'test_clocks.fail',
  `UPDATE test_clocks SET failed = true WHERE project_id = $1 AND id = $2 AND target_at IS NOT NULL`,
);

/** Queries of the job that brings customers of clocks forward. */
@Injectable()
export class ClockAdvanceRepository {
  constructor(private readonly database: Database) {}

  advancing(): Promise<AdvancingClock[]> {
    return this.database.query(advancing, []);
  }

  /** Locks a customer who is behind; null when there is none to be had. */
  async claim(tx: Transaction, { projectId, id, targetAtMs }: AdvancingClock): Promise<string | null> {
    const rows = await tx.query<{ id: string }>(claim, [projectId, id, new Date(targetAtMs)]);
    return rows[0]?.id ?? null;
  }

  async setTime(tx: Transaction, projectId: string, customerId: string, atMs: number): Promise<void> {
    await tx.query(setTime, [projectId, customerId, new Date(atMs)]);
  }

  /** The clock has arrived, unless some customer is still behind. */
  async finish({ projectId, id, targetAtMs }: AdvancingClock): Promise<void> {
    await this.database.query(finish, [projectId, id, new Date(targetAtMs)]);
  }

  async fail({ projectId, id }: AdvancingClock): Promise<void> {
    await this.database.query(fail, [projectId, id]);
  }
}
