import { Injectable } from '@nestjs/common';
import type { AppType } from '../../platform/principal/app-types.js';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import {
  type AppQueue,
  appsWithWorkDue,
  claimValues,
  leasedOf,
  pageOf,
  type PolledApp,
  pollValues,
  renewalOf,
  renewalValues,
} from '../../platform/jobs/app-queues.sql.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { QueuePage, QueuePlace } from '../../platform/jobs/project-claims.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import { oldestDueIn } from '../../platform/jobs/oldest-due.sql.js';
import type { FreeSlots } from '../../platform/jobs/slots.js';
import type { StoreTask, StoreTaskKind, StoreTaskKey, NewStoreTask } from './store-task.js';

/** Existing tasks do not change. */
const add = statement(
  'store_tasks.add',
  `INSERT INTO store_tasks (project_id, app_id, kind, key, detail, mark_at, due_at, last_error)
   SELECT a.project_id, r."appId", r.kind, r.key, r.detail, r."markAt", r."dueAt", r.error
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS r(
     "appId" text, kind text, key text, detail json, "markAt" timestamptz, "dueAt" timestamptz, error text)
   WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT (project_id, app_id, kind, key) DO NOTHING
   RETURNING key`,
);

/** A waiting task becomes due now. A running one runs again afterwards: its attempts are -1 until then. $4: apps. */
const request = statement(
  'store_tasks.request',
  `INSERT INTO store_tasks AS t (project_id, app_id, kind, key, detail, due_at)
   SELECT a.project_id, a.app_id, $2, '', '{}', $3 FROM project_anchors a
   WHERE a.project_id = $1 AND a.app_id = ANY($4::text[])
   ON CONFLICT (project_id, app_id, kind, key) DO UPDATE SET
     due_at = CASE WHEN t.lease_until IS NULL THEN least(t.due_at, excluded.due_at) ELSE t.due_at END,
     attempts = CASE WHEN t.lease_until IS NULL THEN 0 ELSE -1 END`,
);

/** Adds a task per key to every app of some types that lacks it. */
const addForApps = statement(
  'store_tasks.add_for_apps',
  `INSERT INTO store_tasks (project_id, app_id, kind, key, detail, due_at)
   SELECT n.project_id, n.app_id, $1, k.key, '{}', $3
   FROM project_anchors n JOIN apps a ON a.project_id = n.project_id AND a.id = n.app_id
   JOIN projects p ON p.id = n.project_id AND p.deleted_at IS NULL
   CROSS JOIN unnest($4::text[]) AS k (key)
   WHERE a.type = ANY($2::text[]) AND ${isHere('n.project_id')}
   ON CONFLICT (project_id, app_id, kind, key) DO NOTHING`,
);

const queue: AppQueue<StoreTaskKey> = {
  table: 'store_tasks',
  key: { project_id: 'projectId', app_id: 'appId', kind: 'kind', key: 'key' },
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

const appsDue = acrossProjects('store_tasks.apps_due', appsWithWorkDue(queue));

const claim = statement(
  'store_tasks.claim',
  `${leasedOf(queue)}
   SELECT l.project_id AS "projectId", l.app_id AS "appId", l.kind, l.key, l.detail, l.mark_at AS "markAt",
     l.attempts, l.lease_until AS "leaseUntil"
   FROM leased l`,
);

const renew = statement('store_tasks.renew', renewalOf(queue));

const oldestDue = acrossProjects('jobs.oldest_due.tasks', oldestDueIn('store_tasks'));

const ofTask = `project_id = $1 AND app_id = $2 AND kind = $3 AND key = $4`;

const done = statement(
  'store_tasks.done',
  `DELETE FROM store_tasks WHERE ${ofTask} AND lease_until = $5 AND attempts >= 0 RETURNING key`,
);

/** For a task that was requested while it ran. $6: current time. */
const doneOnce = statement(
  'store_tasks.done_once',
  `UPDATE store_tasks SET due_at = $6, attempts = 0, lease_until = NULL
   WHERE ${ofTask} AND lease_until = $5 AND attempts < 0`,
);

/** $10: current time. */
const again = statement(
  'store_tasks.again',
  `UPDATE store_tasks SET due_at = CASE WHEN attempts < 0 THEN $10::timestamptz ELSE $6 END, attempts = $7, last_error = $8,
     mark_at = $9, lease_until = NULL
   WHERE ${ofTask} AND lease_until = $5`,
);

const remove = statement(
  'store_tasks.remove',
  `DELETE FROM store_tasks WHERE ${ofTask} RETURNING mark_at AS "markAt"`,
);

const exists = statement('store_tasks.exists', `SELECT 1 FROM store_tasks WHERE ${ofTask}`);

const ofKind = statement(
  'store_tasks.of_kind',
  `SELECT app_id AS "appId", mark_at AS "markAt", last_error AS error FROM store_tasks
   WHERE project_id = $1 AND kind = $2`,
);

function placeOf({ projectId, appId, kind, key }: StoreTaskKey): unknown[] {
  return [projectId, appId, kind, key];
}

@Injectable()
export class StoreTasksRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns how many are new. */
  async add(tx: Transaction, projectId: string, tasks: NewStoreTask[]): Promise<number> {
    return (await tx.query(add, [projectId, JSON.stringify(tasks)])).length;
  }

  async request(projectId: string, kind: StoreTaskKind, appIds: string[], dueAt: Date): Promise<void> {
    await this.database.query(request, [projectId, kind, dueAt, appIds]);
  }

  async addForApps(
    kind: StoreTaskKind,
    types: readonly AppType[],
    keys: readonly string[],
    dueAt: Date,
  ): Promise<void> {
    await this.database.query(addForApps, [kind, types, dueAt, keys]);
  }

  async pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage> {
    return pageOf(await this.database.query<PolledApp>(appsDue, pollValues(now, after)));
  }

  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<(StoreTask & LeasedItem)[]> {
    return this.database.query(claim, claimValues(projectId, terms, free));
  }

  async renew(held: HeldItem<StoreTask>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(queue, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  /** Removes the task; if it was requested while it ran, it is due again now instead. */
  async done(task: StoreTask, leaseUntil: Date, now: Date): Promise<void> {
    const removed = await this.database.query(done, [...placeOf(task), leaseUntil]);
    if (removed.length === 0) await this.database.query(doneOnce, [...placeOf(task), leaseUntil, now]);
  }

  async again(
    task: StoreTask,
    leaseUntil: Date,
    next: { dueAt: Date; attempts: number; error: string | null; markAt: Date | null; now: Date },
  ): Promise<void> {
    const { dueAt, attempts, error, markAt, now } = next;
    await this.database.query(again, [...placeOf(task), leaseUntil, dueAt, attempts, error, markAt, now]);
  }

  async remove(tx: Transaction, place: StoreTaskKey): Promise<Pick<StoreTask, 'markAt'> | null> {
    const [removed] = await tx.query<Pick<StoreTask, 'markAt'>>(remove, placeOf(place));
    return removed ?? null;
  }

  async exists(place: StoreTaskKey): Promise<boolean> {
    return (await this.database.query(exists, placeOf(place))).length > 0;
  }

  ofKind(
    projectId: string,
    kind: StoreTaskKind,
  ): Promise<{ appId: string; markAt: Date | null; error: string | null }[]> {
    return this.database.query(ofKind, [projectId, kind]);
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }
}
