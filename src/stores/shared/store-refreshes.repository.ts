import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
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

export interface RefreshTarget {
  projectId: string;
  appId: string;
  environment: Environment;
  key: string;
}

export type TimedRefresh = Omit<RefreshTarget, 'projectId'> & { dueAtMs: number };

export interface ClaimedRefresh extends RefreshTarget, LeasedItem {
  /** Number of earlier attempts. */
  attempts: number;
}

/** Time to wait after the end of access before asking the store. */
export interface PollingStep {
  afterMs: number;
  /** Include subscriptions whose renewal is off. */
  ofAll: boolean;
}

/** The day is divided into slices. Each subscription belongs to one of them. */
export const REFRESH_SLICES = 24;

export interface OpenSubscriptions {
  projectId: string;
  appId: string;
  environment: Environment;
  /** Hours of the day whose subscriptions are refreshed. */
  slices: number[];
  now: Date;
  /** Time between two refreshes. */
  everyMs: number;
  /** Maximum number of waiting refreshes of the app and environment. */
  most: number;
  factsBeforeMs: number;
  seed: string;
}

/**
 * Moves a waiting refresh up to the requested time and resets its attempts. One in progress loses its lease: what it
 * read may be older than the reason for this request.
 */
const request = statement(
  'store_refreshes.request',
  `INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
   SELECT $1, $2, $3, wanted.key, $5 FROM unnest($4::text[]) AS wanted (key)
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO UPDATE
     SET due_at = least(r.due_at, excluded.due_at), attempts = 0, lease_until = NULL`,
);

/**
 * Like `request`, each at its own time. One that is waiting or in progress stays unchanged unless this one is earlier.
 */
const requestMany = statement(
  'store_refreshes.request_many',
  `INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
   SELECT DISTINCT ON (w.app_id, w.environment, w.key) $1, w.app_id, w.environment, w.key, w.due_at
   FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS w (app_id, environment, key, due_at)
   ORDER BY w.app_id, w.environment, w.key, w.due_at
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO UPDATE
     SET due_at = excluded.due_at WHERE r.due_at > excluded.due_at AND r.lease_until IS NULL`,
);

/**
 * Schedules a refresh for subscriptions whose end reached one of the steps ($4, ms; $5) after $3 and until $6 without
 * an update since. One that should renew may do so late, whatever the store reported before.
 */
const scheduleOverdue = statement(
  'overdue_subscriptions.request',
  `INSERT INTO store_refreshes AS r (project_id, app_id, environment, purchase_key, due_at)
   SELECT DISTINCT s.project_id, s.app_id, s.environment, s.store_key, $6::timestamptz
   FROM subscriptions s CROSS JOIN unnest($4::float8[], $5::boolean[]) AS step (after_ms, of_all)
   WHERE s.project_id = $1 AND s.app_id = $2
     AND s.access_ends_at > $3::timestamptz - step.after_ms * interval '1 millisecond'
     AND s.access_ends_at <= $6::timestamptz - step.after_ms * interval '1 millisecond'
     AND s.facts_at_ms < extract(epoch FROM s.access_ends_at) * 1000 + step.after_ms
     AND (coalesce(s.facts #>> '{renewal,value,autoRenew}', 'true') = 'true'
       OR s.facts #>> '{renewal,value,inRetry}' = 'true'
       OR step.of_all AND coalesce(s.facts #>> '{renewal,value,ended}', 'false') = 'false')
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING
   RETURNING r.purchase_key`,
);

/** Counts up to $4. */
const countWaiting = statement(
  'store_refreshes.count_waiting',
  `SELECT count(*)::int AS count FROM (
     SELECT 1 FROM store_refreshes WHERE project_id = $1 AND app_id = $2 AND environment = $3 LIMIT $4) w`,
);

/**
 * Schedules refreshes of at most $9 open subscriptions in some slices of the day ($4), one every $6 ms. Skips those with
 * facts newer than $7. $8 shuffles the order, so that subscriptions beyond the limit today are included tomorrow. Skips
 * subscriptions that ended at Paddle, but not those that only lost access: they may still be billed.
 */
const scheduleOpen = statement(
  'paddle_walk.ask_about_open',
  `INSERT INTO store_refreshes (project_id, app_id, environment, purchase_key, due_at)
   SELECT o.project_id, o.app_id, o.environment, o.key,
     $5::timestamptz + (row_number() OVER (PARTITION BY o.project_id ORDER BY o.place) - 1) * $6::float8 * interval '1 millisecond'
   FROM (
     SELECT s.project_id, s.app_id, s.environment, s.store_key AS key, hashtext(s.store_key || $8) AS place
     FROM subscriptions s
     WHERE s.project_id = $1 AND s.app_id = $2 AND s.environment = $3 AND s.access_ends_at IS NOT NULL
       AND (hashtext(s.store_key)::bigint & 2147483647) % ${REFRESH_SLICES} = ANY($4::int[]) AND s.facts_at_ms < $7
       AND (s.status <> 'expired' OR s.facts #>> '{renewal,value,ended}' = 'false')
     ORDER BY place LIMIT $9::int) o
   ON CONFLICT (project_id, app_id, environment, purchase_key) DO NOTHING`,
);

const queue: AppQueue<RefreshTarget> = {
  table: 'store_refreshes',
  key: { project_id: 'projectId', app_id: 'appId', environment: 'environment', purchase_key: 'key' },
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

const appsDue = acrossProjects('store_refreshes.apps_due', appsWithWorkDue(queue));

const claim = statement(
  'store_refreshes.claim',
  `${leasedOf(queue)}
   SELECT l.project_id AS "projectId", l.app_id AS "appId", l.environment, l.purchase_key AS key, l.attempts,
     l.lease_until AS "leaseUntil"
   FROM leased l`,
);

const renew = statement('store_refreshes.renew', renewalOf(queue));

const oldestDue = acrossProjects('jobs.oldest_due.refreshes', oldestDueIn('store_refreshes'));

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

/** Refreshes that failed before and are not in progress. */
const retry = statement(
  'store_refreshes.retry',
  `UPDATE store_refreshes SET due_at = $3, attempts = 0
   WHERE project_id = $1 AND app_id = $2 AND due_at > $3 AND last_error IS NOT NULL AND lease_until IS NULL`,
);

function keyOf({ projectId, appId, environment, key }: RefreshTarget): unknown[] {
  return [projectId, appId, environment, key];
}

@Injectable()
export class StoreRefreshesRepository {
  constructor(private readonly database: DatabaseService) {}

  async request(target: Omit<RefreshTarget, 'key'>, keys: string[], dueAt: Date): Promise<void> {
    const { projectId, appId, environment } = target;
    await this.database.query(request, [projectId, appId, environment, keys, dueAt]);
  }

  async requestMany(tx: Transaction, projectId: string, wanted: TimedRefresh[]): Promise<void> {
    await tx.query(requestMany, [
      projectId,
      wanted.map(({ appId }) => appId),
      wanted.map(({ environment }) => environment),
      wanted.map(({ key }) => key),
      wanted.map(({ dueAtMs }) => new Date(dueAtMs)),
    ]);
  }

  /**
   * Schedules refreshes of subscriptions whose end reached one of the steps without an update since. Returns the number
   * of new refreshes; those already scheduled stay unchanged.
   */
  async scheduleOverdue(
    { projectId, appId }: { projectId: string; appId: string },
    steps: readonly PollingStep[],
    fromMs: number,
    toMs: number,
  ): Promise<number> {
    const rows = await this.database.query(scheduleOverdue, [
      projectId,
      appId,
      new Date(fromMs),
      steps.map(({ afterMs }) => afterMs),
      steps.map(({ ofAll }) => ofAll),
      new Date(toMs),
    ]);
    return rows.length;
  }

  async scheduleOpen(open: OpenSubscriptions): Promise<void> {
    const { projectId, appId, environment, slices, now, everyMs, most, factsBeforeMs, seed } = open;
    const place = [projectId, appId, environment];
    const [waiting] = await this.database.query<{ count: number }>(countWaiting, [...place, most]);
    const room = most - (waiting?.count ?? 0);
    if (room <= 0) return;
    const values = [...place, slices, now, everyMs, factsBeforeMs, seed, room];
    await this.database.query(scheduleOpen, values);
  }

  async pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage> {
    return pageOf(await this.database.query<PolledApp>(appsDue, pollValues(now, after)));
  }

  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<ClaimedRefresh[]> {
    return this.database.query(claim, claimValues(projectId, terms, free));
  }

  async renew(held: HeldItem<ClaimedRefresh>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(queue, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async done(target: RefreshTarget, leaseUntil: Date): Promise<void> {
    await this.database.query(done, [...keyOf(target), leaseUntil]);
  }

  /** Postpones a refresh without counting an attempt. */
  async postpone(target: RefreshTarget, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(postpone, [...keyOf(target), leaseUntil, dueAt]);
  }

  async retry({ projectId, appId }: Pick<RefreshTarget, 'projectId' | 'appId'>, now: Date): Promise<void> {
    await this.database.query(retry, [projectId, appId, now]);
  }

  async again(target: ClaimedRefresh, leaseUntil: Date, dueAt: Date, error: string): Promise<void> {
    await this.database.query(again, [...keyOf(target), leaseUntil, dueAt, target.attempts + 1, error]);
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }
}
