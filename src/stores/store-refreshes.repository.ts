import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../../libs/engine/index.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { HeldItem } from '../jobs/leased-work.js';
import type { FreeSlots } from '../jobs/slots.js';

/** A purchase that its store is to be asked about. */
export interface RefreshTarget {
  projectId: string;
  appId: string;
  environment: Environment;
  key: string;
}

export interface ClaimedRefresh extends RefreshTarget {
  /** How often it was tried before. */
  attempts: number;
}

/**
 * One that waits already comes no later than asked for, and begins to count anew. One under way loses its lease: what
 * it read may be older than the reason for asking.
 */
const request = statement(
  'store_refreshes.request',
  `INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
   SELECT $1, $2, $3, wanted.key, $5 FROM unnest($4::text[]) AS wanted (key)
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO UPDATE
     SET due_at = least(r.due_at, excluded.due_at), attempts = 0, lease_until = NULL`,
);

/** As the inbox of notifications: the apps that have work, then the oldest of each within its free places. */
const claim = statement(
  'store_refreshes.claim',
  `WITH RECURSIVE queues AS (
     (SELECT r.project_id, r.app_id FROM store_refreshes r ORDER BY r.project_id, r.app_id LIMIT 1)
     UNION ALL
     SELECT next.project_id, next.app_id FROM queues q CROSS JOIN LATERAL (
       SELECT r.project_id, r.app_id FROM store_refreshes r
       WHERE (r.project_id, r.app_id) > (q.project_id, q.app_id)
       ORDER BY r.project_id, r.app_id LIMIT 1) next
   ), due AS MATERIALIZED (
     SELECT head.* FROM queues q
     LEFT JOIN unnest($4::text[], $5::int[]) AS f (app_id, places) ON f.app_id = q.app_id
     CROSS JOIN LATERAL (
       SELECT r.project_id, r.app_id, r.environment, r.purchase_key, r.due_at FROM store_refreshes r
       WHERE r.project_id = q.project_id AND r.app_id = q.app_id AND r.due_at <= $1
       ORDER BY r.due_at LIMIT coalesce(f.places, $6::int)) head
     ORDER BY head.due_at LIMIT $3::int
   ), taken AS (
     SELECT r.project_id, r.app_id, r.environment, r.purchase_key
     FROM due JOIN store_refreshes r USING (project_id, app_id, environment, purchase_key)
     WHERE r.due_at <= $1 FOR UPDATE OF r SKIP LOCKED
   )
   UPDATE store_refreshes r SET due_at = $2, lease_until = $2 FROM taken t
   WHERE r.project_id = t.project_id AND r.app_id = t.app_id AND r.environment = t.environment
     AND r.purchase_key = t.purchase_key
   RETURNING r.project_id AS "projectId", r.app_id AS "appId", r.environment, r.purchase_key AS key, r.attempts`,
);

const renew = statement(
  'store_refreshes.renew',
  `UPDATE store_refreshes r SET due_at = $6, lease_until = $6
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
     AS held (project_id, app_id, environment, purchase_key, lease_until)
   WHERE r.project_id = held.project_id AND r.app_id = held.app_id AND r.environment = held.environment
     AND r.purchase_key = held.purchase_key AND r.lease_until = held.lease_until`,
);

const ofTarget = `project_id = $1 AND app_id = $2 AND environment = $3 AND purchase_key = $4 AND lease_until = $5`;

const done = statement('store_refreshes.done', `DELETE FROM store_refreshes WHERE ${ofTarget}`);

const again = statement(
  'store_refreshes.again',
  `UPDATE store_refreshes SET due_at = $6, attempts = $7, last_error = $8, lease_until = NULL WHERE ${ofTarget}`,
);

const postpone = statement(
  'store_refreshes.postpone',
  `UPDATE store_refreshes SET due_at = $6, lease_until = NULL WHERE ${ofTarget}`,
);

/** What failed before and is not under way. */
const retry = statement(
  'store_refreshes.retry',
  `UPDATE store_refreshes SET due_at = $3, attempts = 0
   WHERE project_id = $1 AND app_id = $2 AND due_at > $3 AND last_error IS NOT NULL AND lease_until IS NULL`,
);

function keyOf({ projectId, appId, environment, key }: RefreshTarget): unknown[] {
  return [projectId, appId, environment, key];
}

/** Queries on the purchases that stores are to be asked about again. */
@Injectable()
export class StoreRefreshesRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async request(target: Omit<RefreshTarget, 'key'>, keys: string[], dueAt: Date): Promise<void> {
    const { projectId, appId, environment } = target;
    await this.database.query(request, [projectId, appId, environment, keys, dueAt]);
  }

  claim(now: Date, leaseUntil: Date, { total, byKey, otherKeys }: FreeSlots): Promise<ClaimedRefresh[]> {
    const values = [now, leaseUntil, total, [...byKey.keys()], [...byKey.values()], otherKeys];
    return this.database.query(claim, values);
  }

  async renew(held: HeldItem<ClaimedRefresh>[], leaseUntil: Date): Promise<void> {
    await this.database.query(renew, [
      held.map(({ item }) => item.projectId),
      held.map(({ item }) => item.appId),
      held.map(({ item }) => item.environment),
      held.map(({ item }) => item.key),
      held.map((lease) => lease.leaseUntil),
      leaseUntil,
    ]);
  }

  async done(target: RefreshTarget, leaseUntil: Date): Promise<void> {
    await this.database.query(done, [...keyOf(target), leaseUntil]);
  }

  /** Puts one off that was not tried. */
  async postpone(target: RefreshTarget, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(postpone, [...keyOf(target), leaseUntil, dueAt]);
  }

  /** Has everything of an app that failed tried at once. */
  async retry({ projectId, appId }: Pick<RefreshTarget, 'projectId' | 'appId'>, now: Date): Promise<void> {
    await this.database.query(retry, [projectId, appId, now]);
  }

  async again(target: ClaimedRefresh, leaseUntil: Date, dueAt: Date, error: string): Promise<void> {
    await this.database.query(again, [...keyOf(target), leaseUntil, dueAt, target.attempts + 1, error]);
  }
}
