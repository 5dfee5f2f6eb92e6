import { Injectable } from '@nestjs/common';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { hideFromPlanner } from '../../platform/database/hide-from-planner.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { Poll, ProjectDue } from './project-poller.js';

export interface DueRow {
  customerId: string;
  subscriptionId: string;
  dueAtMs: number;
  /** True for a grant of a deleted entitlement. */
  grantsNothing: boolean;
}

interface DueSince {
  since: Date;
  now: Date;
}

/** Customers per transaction: enough to amortize its cost, few enough to release locks quickly. */
export const BATCH = 40;
/** Due subscriptions considered for a batch, since other processes may hold the first ones. */
export const CANDIDATES = 4 * BATCH;

export interface Claim {
  customerIds: string[];
  /** There may be more: the batch is full, or not all due subscriptions were considered. */
  isFull: boolean;
  /** Other transactions hold some due customers. */
  areSomeHeld: boolean;
}

const head = `LEFT JOIN LATERAL (
     SELECT s.next_due_at FROM subscriptions s WHERE s.project_id = a.project_id AND s.next_due_at IS NOT NULL
     ORDER BY s.next_due_at LIMIT 1) head ON true`;

/**
 * Reads the $3 projects after $2 and returns those with work due by $1, longest waiting first, and the last one if more may
 * follow.
 */
const dueProjects = acrossProjects(
  'due_work.projects',
  `SELECT q.project_id AS "projectId", ${epochMs('q.next_due_at')} AS "dueAtMs",
     q.next_due_at <= $1 AND p.id IS NOT NULL AS "isSoon", q.is_last AS "isLast"
   FROM (
     SELECT page.*, row_number() OVER (ORDER BY page.project_id) = $3::int AS is_last FROM (
       SELECT a.project_id, head.next_due_at FROM project_anchors a ${head}
       WHERE a.app_id = '' AND a.project_id > $2 ORDER BY a.project_id LIMIT $3::int) page
   ) q LEFT JOIN projects p ON p.id = q.project_id AND p.deleted_at IS NULL AND ${isHere('p.id')}
   WHERE q.is_last OR q.next_due_at <= $1 AND p.id IS NOT NULL ORDER BY q.next_due_at`,
);

const oldestDue = acrossProjects(
  'due_work.oldest_due',
  `SELECT min(head.next_due_at) FILTER (WHERE head.next_due_at <= $1) AS "dueAt", count(*)::int AS "queuesRead"
   FROM project_anchors a JOIN projects p ON p.id = a.project_id AND p.deleted_at IS NULL ${head}
   WHERE a.app_id = '' AND ${isHere('a.project_id')}`,
);

/** The earliest time from $2 to $3 at which project $1 has work due; none if the project was deleted. */
const firstDue = statement(
  'due_work.first_due',
  `SELECT ${epochMs('s.next_due_at')} AS "dueAtMs" FROM subscriptions s
   WHERE s.project_id = $1 AND s.next_due_at >= ${hideFromPlanner('$2::timestamptz')} AND s.next_due_at <= $3
     AND EXISTS (SELECT 1 FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL) AND ${isHere('$1')}
   ORDER BY s.next_due_at LIMIT 1`,
);

/**
 * Locks a batch of a project's customers, longest waiting first, and skips customers that other transactions hold.
 * Customers are locked one at a time, in candidate order, until the batch is full. $3 is where the index scan starts:
 * until the next vacuum, dead entries of completed work precede the first due one. The plan does not depend on the
 * times, so one cached plan serves all.
 */
const claim = statement(
  'due_work.claim',
  `WITH candidates AS MATERIALIZED (
     SELECT first.customer_id, first.next_due_at FROM (
       SELECT s.customer_id, s.next_due_at FROM subscriptions s
       WHERE s.project_id = $1 AND s.next_due_at >= ${hideFromPlanner('$3::timestamptz')} AND ${isHere('$1')}
       ORDER BY s.next_due_at LIMIT ${CANDIDATES}) first
     WHERE first.next_due_at <= ${hideFromPlanner('$2::timestamptz')}
   ), due AS MATERIALIZED (
     SELECT customer_id FROM candidates GROUP BY customer_id ORDER BY min(next_due_at)
   )
   SELECT locked.id, (SELECT count(*)::int FROM candidates) AS candidates, (SELECT count(*)::int FROM due) AS customers
   FROM due CROSS JOIN LATERAL (
     SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.id = due.customer_id FOR UPDATE SKIP LOCKED) locked
   LIMIT ${BATCH}`,
);

const lockOne = statement(
  'due_work.lock_one',
  `SELECT c.id FROM customers c WHERE c.project_id = $1 AND c.id = $2 FOR UPDATE OF c SKIP LOCKED`,
);

/** All due subscriptions of some customers. OFFSET forces the planner to look up each customer by key. */
const dueOf = statement(
  'due_work.due_of',
  `SELECT wanted.id AS "customerId", s.id AS "subscriptionId", ${epochMs('s.next_due_at')} AS "dueAtMs",
     s.granted_entitlement_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM entitlements e WHERE e.project_id = $1 AND e.id = s.granted_entitlement_id) AS "grantsNothing"
   FROM unnest(${hideFromPlanner('$2::text[]')}) AS wanted(id) CROSS JOIN LATERAL (
     SELECT t.id, t.next_due_at, t.granted_entitlement_id FROM subscriptions t
     WHERE t.project_id = $1 AND t.customer_id = wanted.id OFFSET 0) s
   WHERE s.next_due_at <= $3`,
);

const postpone = statement(
  'due_work.postpone',
  `UPDATE subscriptions SET next_due_at = $4 WHERE project_id = $1 AND customer_id = $2 AND next_due_at <= $3`,
);

@Injectable()
export class DueWorkRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Polls at most `limit` projects after `after`, in id order, for work due by `until`. */
  async poll(until: Date, after: string, limit: number): Promise<Poll> {
    const rows = await this.database.query<ProjectDue & { isSoon: boolean; isLast: boolean }>(dueProjects, [
      until,
      after,
      limit,
    ]);
    return {
      soon: rows.filter(({ isSoon }) => isSoon).map(({ projectId, dueAtMs }) => ({ projectId, dueAtMs })),
      last: rows.find(({ isLast }) => isLast)?.projectId ?? null,
    };
  }

  async oldestDue(now: Date): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, [now]))[0] ?? { dueAt: null, queuesRead: 0 };
  }

  /** The earliest time (ms) in the range at which a project has work due; null if none. */
  async firstDue(projectId: string, since: Date, until: Date): Promise<number | null> {
    const rows = await this.database.query<{ dueAtMs: number }>(firstDue, [projectId, since, until]);
    return rows[0]?.dueAtMs ?? null;
  }

  async claim(tx: Transaction, projectId: string, { since, now }: DueSince): Promise<Claim> {
    const rows = await tx.query<{ id: string; candidates: number; customers: number }>(claim, [
      projectId,
      now,
      since,
    ]);
    const [{ candidates, customers } = { candidates: 0, customers: 0 }] = rows;
    return {
      customerIds: rows.map(({ id }) => id),
      isFull: rows.length === BATCH || candidates === CANDIDATES,
      // Without rows there are no counts, but at least one customer is due.
      areSomeHeld: rows.length === 0 || rows.length < Math.min(BATCH, customers),
    };
  }

  /** Locks one customer. Returns an empty list if another transaction holds the row or it no longer exists. */
  async lockOne(tx: Transaction, projectId: string, customerId: string): Promise<string[]> {
    return (await tx.query<{ id: string }>(lockOne, [projectId, customerId])).map(({ id }) => id);
  }

  dueOf(tx: Transaction, projectId: string, customerIds: string[], now: Date): Promise<DueRow[]> {
    return tx.query(dueOf, [projectId, customerIds, now]);
  }

  async postpone(projectId: string, customerId: string, now: Date, until: Date): Promise<void> {
    await this.database.query(postpone, [projectId, customerId, now, until]);
  }
}
