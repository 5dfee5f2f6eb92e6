import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import {
  type AppQueue,
  claimValues,
  leasedOf,
  renewalOf,
  renewalValues,
} from '../../platform/jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
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

const queue: AppQueue<RefreshTarget> = {
  table: 'store_refreshes',
  key: { project_id: 'projectId', app_id: 'appId', environment: 'environment', purchase_key: 'key' },
  dueAt: 'due_at',
  leaseUntil: 'lease_until',
};

const claim = statement(
  'store_refreshes.claim',
  `${leasedOf(queue)}
   SELECT l.project_id AS "projectId", l.app_id AS "appId", l.environment, l.purchase_key AS key, l.attempts,
     l.lease_until AS "leaseUntil"
   FROM leased l`,
);

const renew = statement('store_refreshes.renew', renewalOf(queue));

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

  claim(terms: LeaseTerms, free: FreeSlots): Promise<ClaimedRefresh[]> {
    return this.database.query(claim, claimValues(terms, free));
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
}
