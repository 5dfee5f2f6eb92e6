import { Inject, Injectable } from '@nestjs/common';
import type { AppType } from '../apps/app-types.js';
import { Database, type Executor } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { HeldItem } from '../jobs/leased-work.js';
import type { FreeSlots } from '../jobs/slots.js';
import type { Chore, ChoreKind, ChorePlace, NewChore } from './store-chore.js';

/** What is waiting already stays as it is. */
const add = statement(
  'store_chores.add',
  `INSERT INTO store_chores (project_id, app_id, kind, key, detail, mark_at, due_at, last_error)
   SELECT $1, r."appId", r.kind, r.key, r.detail, r."markAt", r."dueAt", r.error
   FROM json_to_recordset($2::json) AS r(
     "appId" text, kind text, key text, detail json, "markAt" timestamptz, "dueAt" timestamptz, error text)
   ON CONFLICT (project_id, app_id, kind, key) DO NOTHING`,
);

/** One of each key for every app of a type that has none. */
const addForApps = statement(
  'store_chores.add_for_apps',
  `INSERT INTO store_chores (project_id, app_id, kind, key, detail, due_at)
   SELECT a.project_id, a.id, $1, k.key, '{}', $3
   FROM apps a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL
   CROSS JOIN unnest($4::text[]) AS k (key)
   WHERE a.type = $2
   ON CONFLICT (project_id, app_id, kind, key) DO NOTHING`,
);

/** As the inbox of notifications: the apps that have work, then the oldest of each within its free places. */
const claim = statement(
  'store_chores.claim',
  `WITH RECURSIVE queues AS (
     (SELECT c.project_id, c.app_id FROM store_chores c ORDER BY c.project_id, c.app_id LIMIT 1)
     UNION ALL
     SELECT next.project_id, next.app_id FROM queues q CROSS JOIN LATERAL (
       SELECT c.project_id, c.app_id FROM store_chores c
       WHERE (c.project_id, c.app_id) > (q.project_id, q.app_id)
       ORDER BY c.project_id, c.app_id LIMIT 1) next
   ), due AS MATERIALIZED (
     SELECT head.* FROM queues q
     LEFT JOIN unnest($4::text[], $5::int[]) AS f (app_id, places) ON f.app_id = q.app_id
     CROSS JOIN LATERAL (
       SELECT c.project_id, c.app_id, c.kind, c.key, c.due_at FROM store_chores c
       WHERE c.project_id = q.project_id AND c.app_id = q.app_id AND c.due_at <= $1
       ORDER BY c.due_at LIMIT coalesce(f.places, $6::int)) head
     ORDER BY head.due_at LIMIT $3::int
   ), taken AS (
     SELECT c.project_id, c.app_id, c.kind, c.key
     FROM due JOIN store_chores c USING (project_id, app_id, kind, key)
     WHERE c.due_at <= $1 FOR UPDATE OF c SKIP LOCKED
   )
   UPDATE store_chores c SET due_at = $2, lease_until = $2 FROM taken t
   WHERE c.project_id = t.project_id AND c.app_id = t.app_id AND c.kind = t.kind AND c.key = t.key
   RETURNING c.project_id AS "projectId", c.app_id AS "appId", c.kind, c.key, c.detail, c.mark_at AS "markAt",
     c.attempts`,
);

const renew = statement(
  'store_chores.renew',
  `UPDATE store_chores c SET due_at = $6, lease_until = $6
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
     AS held (project_id, app_id, kind, key, lease_until)
   WHERE c.project_id = held.project_id AND c.app_id = held.app_id AND c.kind = held.kind AND c.key = held.key
     AND c.lease_until = held.lease_until`,
);

const ofChore = `project_id = $1 AND app_id = $2 AND kind = $3 AND key = $4`;

const done = statement('store_chores.done', `DELETE FROM store_chores WHERE ${ofChore} AND lease_until = $5`);

const again = statement(
  'store_chores.again',
  `UPDATE store_chores SET due_at = $6, attempts = $7, last_error = $8, mark_at = $9, lease_until = NULL
   WHERE ${ofChore} AND lease_until = $5`,
);

const remove = statement(
  'store_chores.remove',
  `DELETE FROM store_chores WHERE ${ofChore} RETURNING mark_at AS "markAt"`,
);

const ofKind = statement(
  'store_chores.of_kind',
  `SELECT app_id AS "appId", mark_at AS "markAt", last_error AS error FROM store_chores
   WHERE project_id = $1 AND kind = $2`,
);

function placeOf({ projectId, appId, kind, key }: ChorePlace): unknown[] {
  return [projectId, appId, kind, key];
}

/** Queries on the chores of stores. */
@Injectable()
export class StoreChoresRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  async add(executor: Executor, projectId: string, chores: NewChore[]): Promise<void> {
    await executor.query(add, [projectId, JSON.stringify(chores)]);
  }

  async addForApps(kind: ChoreKind, type: AppType, dueAt: Date, keys: string[]): Promise<void> {
    await this.database.query(addForApps, [kind, type, dueAt, keys]);
  }

  claim(now: Date, leaseUntil: Date, { total, byKey, otherKeys }: FreeSlots): Promise<Chore[]> {
    const values = [now, leaseUntil, total, [...byKey.keys()], [...byKey.values()], otherKeys];
    return this.database.query(claim, values);
  }

  async renew(held: HeldItem<Chore>[], leaseUntil: Date): Promise<void> {
    await this.database.query(renew, [
      held.map(({ item }) => item.projectId),
      held.map(({ item }) => item.appId),
      held.map(({ item }) => item.kind),
      held.map(({ item }) => item.key),
      held.map((lease) => lease.leaseUntil),
      leaseUntil,
    ]);
  }

  async done(chore: Chore, leaseUntil: Date): Promise<void> {
    await this.database.query(done, [...placeOf(chore), leaseUntil]);
  }

  async again(
    chore: Chore,
    leaseUntil: Date,
    next: { dueAt: Date; attempts: number; error: string | null; markAt: Date | null },
  ): Promise<void> {
    const { dueAt, attempts, error, markAt } = next;
    await this.database.query(again, [...placeOf(chore), leaseUntil, dueAt, attempts, error, markAt]);
  }

  async remove(place: ChorePlace): Promise<Pick<Chore, 'markAt'> | null> {
    const [removed] = await this.database.query<Pick<Chore, 'markAt'>>(remove, placeOf(place));
    return removed ?? null;
  }

  ofKind(
    projectId: string,
    kind: ChoreKind,
  ): Promise<{ appId: string; markAt: Date | null; error: string | null }[]> {
    return this.database.query(ofKind, [projectId, kind]);
  }
}
