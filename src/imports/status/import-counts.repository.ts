import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { acrossProjects, longStatement, statement } from '../../platform/database/statement.js';
import type { ImportCounts } from './import-counts.js';

export interface SavedCounts {
  projectId: string;
  countedAtMs: number;
  watchedUntilMs: number;
  counts: ImportCounts;
}

/** Counts at most $2 rows; all if it is null. */
const upTo = (rows: string): string => `(SELECT count(*)::int FROM (SELECT ${rows} LIMIT $2) limited)`;

/** A price that became known later has its own row. */
const isCorrected = (owner: 'subscription_id' | 'purchase_id'): string =>
  `EXISTS (SELECT FROM store_transactions c WHERE c.project_id = $1 AND c.${owner} = t.${owner}
     AND c.purchased_at = t.purchased_at AND c.period_key = t.period_key AND c.kind = 'correction')`;

/** The conditions match partial indexes. $3: now. */
const count = longStatement(
  'import_counts.count',
  `SELECT ${upTo('FROM customers WHERE project_id = $1')} AS customers,
     ${upTo('FROM subscriptions WHERE project_id = $1')} AS subscriptions,
     (SELECT coalesce(json_object_agg(app_id, waiting), '{}') FROM (
        SELECT app_id, count(*)::int AS waiting FROM (
          SELECT app_id FROM subscriptions
          WHERE project_id = $1 AND key_state = 'token_needed' AND app_id IS NOT NULL LIMIT $2) limited
        GROUP BY app_id) by_app) AS "awaitingToken",
     ${upTo(`FROM subscriptions WHERE project_id = $1 AND key_state = 'guessed'`)} AS "unconfirmedOriginalIds",
     ${upTo('FROM subscriptions WHERE project_id = $1 AND held_from <= $3 AND access_ends_at > $3')} AS "heldOpen",
     ${upTo(`FROM store_transactions t WHERE t.project_id = $1 AND t.amount_micros IS NULL AND t.price_source = 'import'
       AND NOT ${isCorrected('subscription_id')} AND NOT ${isCorrected('purchase_id')}`)} AS "transactionsWithoutPrice",
     (SELECT coalesce(sum(unknown_lengths), 0)::int FROM (SELECT unknown_lengths FROM subscriptions
       WHERE project_id = $1 AND unknown_lengths IS NOT NULL LIMIT $2) limited) AS "periodsOfUnknownLength",
     ${upTo(`FROM store_tasks WHERE project_id = $1 AND kind = 'import_purchase'`)} + (
       SELECT count(*)::int FROM (
         SELECT FROM subscriptions s WHERE s.project_id = $1 AND s.key_state IS NOT NULL
           AND EXISTS (SELECT 1 FROM store_tasks t WHERE t.project_id = $1 AND t.app_id = s.app_id
             AND t.kind = 'import_resolve' AND t.due_at <= $3::timestamptz + interval '10 minutes')
           AND NOT EXISTS (SELECT 1 FROM import_key_misses m WHERE m.project_id = $1
             AND m.subscription_id = s.id AND m.ask_again_at > $3)
         LIMIT $2) limited) AS resolving`,
);

const find = statement(
  'import_counts.find',
  `SELECT project_id AS "projectId", ${epochMs('counted_at')} AS "countedAtMs",
     ${epochMs('watched_until')} AS "watchedUntilMs", counts
   FROM import_counts WHERE project_id = $1`,
);

const watch = statement(
  'import_counts.watch',
  'UPDATE import_counts SET watched_until = $2 WHERE project_id = $1',
);

const save = statement(
  'import_counts.save',
  `INSERT INTO import_counts AS c (project_id, counted_at, watched_until, counts) VALUES ($1, $2, $3, $4)
   ON CONFLICT (project_id) DO UPDATE SET counted_at = excluded.counted_at, counts = excluded.counts,
     watched_until = greatest(c.watched_until, excluded.watched_until)`,
);

/** Projects that were counted before $2 and are still watched at $1, whether or not another worker counts them. */
const due = acrossProjects(
  'import_counts.due',
  `SELECT c.project_id AS "projectId" FROM import_counts c
   JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL
   WHERE c.watched_until > $1 AND c.counted_at < $2 AND ${isHere('c.project_id')}
   ORDER BY c.counted_at LIMIT 100`,
);

/** Locks a project that is still due. No row if another worker has it. */
const lockDue = statement(
  'import_counts.lock_due',
  `SELECT ${epochMs('c.watched_until')} AS "watchedUntilMs" FROM import_counts c
   WHERE c.project_id = $1 AND c.watched_until > $2 AND c.counted_at < $3 AND ${isHere('$1')} FOR UPDATE SKIP LOCKED`,
);

const forget = statement('import_counts.forget', 'DELETE FROM import_counts WHERE watched_until <= $1');

@Injectable()
export class ImportCountsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @param limit upper bound of each count; null for none */
  async count(
    projectId: string,
    limit: number | null,
    nowMs: number,
    executor: Executor = this.database,
  ): Promise<ImportCounts> {
    const [counts] = await executor.query<ImportCounts>(count, [projectId, limit, new Date(nowMs)]);
    if (!counts) throw new Error('A count returned no row');
    return counts;
  }

  async find(projectId: string): Promise<SavedCounts | null> {
    const [row] = await this.database.query<SavedCounts>(find, [projectId]);
    return row ?? null;
  }

  async watch(projectId: string, untilMs: number): Promise<void> {
    await this.database.query(watch, [projectId, new Date(untilMs)]);
  }

  async save(saved: SavedCounts, executor: Executor = this.database): Promise<void> {
    const { projectId, countedAtMs, watchedUntilMs, counts } = saved;
    await executor.query(save, [
      projectId,
      new Date(countedAtMs),
      new Date(watchedUntilMs),
      JSON.stringify(counts),
    ]);
  }

  /** Returns watched projects, some of which another worker may be counting. */
  async due(nowMs: number, countedBeforeMs: number): Promise<string[]> {
    const values = [new Date(nowMs), new Date(countedBeforeMs)];
    const rows = await this.database.query<{ projectId: string }>(due, values);
    return rows.map(({ projectId }) => projectId);
  }

  /** Returns null if another worker counts the project, or has counted it. */
  async lockDue(
    tx: Transaction,
    projectId: string,
    nowMs: number,
    countedBeforeMs: number,
  ): Promise<Pick<SavedCounts, 'watchedUntilMs'> | null> {
    const values = [projectId, new Date(nowMs), new Date(countedBeforeMs)];
    return (await tx.query<Pick<SavedCounts, 'watchedUntilMs'>>(lockDue, values))[0] ?? null;
  }

  /** Deletes counts that are no longer watched. */
  async forget(nowMs: number): Promise<void> {
    await this.database.query(forget, [new Date(nowMs)]);
  }
}
