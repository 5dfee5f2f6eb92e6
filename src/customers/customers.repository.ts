import { Injectable } from '@nestjs/common';
import { newId } from '../../libs/kernel/index.js';
import type { Executor, Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { isAnonymousId } from './app-user-id.js';
import type { CustomerRow } from './customer-state.js';
import { customerStateColumns } from './customer-state.sql.js';
import type { Device } from './last-seen.recorder.js';

/** Which customers a change is about: by any of their ids, or as owners of a store purchase. */
export interface CustomerSelection {
  appUserIds: string[];
  /** Chain and one-time purchase keys of one store and environment. */
  purchaseKeys?: { store: string; environment: string; keys: string[] };
}

/** Owners of purchases, each looked up by its whole key: LATERAL with LIMIT leaves the planner no other way. */
const ownersOf = (table: string, keyColumn: string): string => `
    SELECT owner.customer_id FROM unnest($5::text[]) AS wanted(key) CROSS JOIN LATERAL (
      SELECT t.customer_id FROM ${table} t
      WHERE t.project_id = $1 AND t.store = $3 AND t.environment = $4 AND t.${keyColumn} = wanted.key LIMIT 1) owner`;

/** An array, so that customers are looked up by key whatever the planner believes about the tables' sizes. */
const selection = `c.project_id = $1 AND c.id = ANY (ARRAY(
    SELECT found.customer_id FROM unnest($2::text[]) AS wanted(app_user_id) CROSS JOIN LATERAL (
      SELECT a.customer_id FROM customer_aliases a
      WHERE a.project_id = $1 AND a.app_user_id = wanted.app_user_id LIMIT 1) found
    UNION ALL ${ownersOf('subscriptions', 'chain_key')}
    UNION ALL ${ownersOf('one_time_purchases', 'purchase_key')}))`;

/**
 * Locks the customers in the order of their ids. A row that had to be waited for comes back in its newest
 * version, but everything read beside it is as old as the statement: `seenVersion` gives that away.
 */
const lockAndLoad = statement(
  'customers.lock_and_load',
  `SELECT ${customerStateColumns},
     (SELECT x.version FROM customers x WHERE x.project_id = c.project_id AND x.id = c.id) AS "seenVersion"
   FROM customers c WHERE ${selection} ORDER BY c.id FOR UPDATE OF c`,
);

const lockId = statement(
  'customers.lock_id',
  `SELECT c.id FROM customers c WHERE c.project_id = $1
     AND c.id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2) FOR UPDATE`,
);

const load = statement(
  'customers.load',
  `SELECT ${customerStateColumns} FROM customers c
   WHERE c.project_id = $1
     AND c.id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2)`,
);

const create = statement(
  'customers.create',
  `WITH alias AS (
     INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
     SELECT $1, n.app_user_id, n.id, n.is_anonymous, $5
     FROM unnest($2::text[], $3::text[], $4::boolean[]) AS n(app_user_id, id, is_anonymous)
     ORDER BY n.app_user_id
     ON CONFLICT (project_id, app_user_id) DO NOTHING
     RETURNING app_user_id, customer_id
   )
   INSERT INTO customers (project_id, id, original_app_user_id, first_seen_at, last_seen_at, last_seen_platform,
     last_seen_platform_version, last_seen_app_version, last_seen_country, created_at)
   SELECT $1, alias.customer_id, alias.app_user_id, $5, d.seen_at, d.platform, d.platform_version, d.app_version,
     d.country, $5
   FROM alias JOIN unnest($3::text[], $6::timestamptz[], $7::text[], $8::text[], $9::text[], $10::text[])
     AS d(id, seen_at, platform, platform_version, app_version, country) ON d.id = alias.customer_id
   RETURNING id`,
);

const addAlias = statement(
  'customers.add_alias',
  `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
   VALUES ($1, $2, $3, $4, $5)`,
);

const setInstallation = statement(
  'customers.set_installation',
  `UPDATE customers SET original_application_version = $3, original_purchase_at = $4
   WHERE project_id = $1 AND id = $2`,
);

export interface NewCustomer {
  id: string;
  appUserId: string;
  isAnonymous: boolean;
  /** Null for a customer that no SDK has shown. */
  device: Device | null;
}

export function newCustomer(appUserId: string, device: Device | null, nowMs: number): NewCustomer {
  return { id: newId('customer', nowMs), appUserId, isAnonymous: isAnonymousId(appUserId), device };
}

/** Queries on customers and their ids. */
@Injectable()
export class CustomersRepository {
  /** One customer by any id, without a lock; null when nobody goes by it. */
  async find(executor: Executor, projectId: string, appUserId: string): Promise<CustomerRow | null> {
    return (await executor.query<CustomerRow>(load, [projectId, appUserId]))[0] ?? null;
  }

  /** The selected customers, locked until the transaction ends, with everything as of after the lock. */
  async lock(tx: Transaction, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    const { store, environment, keys } = wanted.purchaseKeys ?? { store: '', environment: '', keys: [] };
    const values = [projectId, wanted.appUserIds, store, environment, keys];
    const rows = await tx.query<CustomerRow & { seenVersion: number }>(lockAndLoad, values);
    if (rows.every((row) => row.version === row.seenVersion)) return rows;
    // Somebody else changed a customer while we waited. The locks are ours now: read again.
    return tx.query<CustomerRow>(lockAndLoad, values);
  }

  /** Locks a customer and gives no more than the id; null when nobody goes by that app user id. */
  async lockId(tx: Transaction, projectId: string, appUserId: string): Promise<string | null> {
    const rows = await tx.query<{ id: string }>(lockId, [projectId, appUserId]);
    // Merged into another customer while we waited: the statement saw the id of before. Look again.
    const [row] = rows.length > 0 ? rows : await tx.query<{ id: string }>(lockId, [projectId, appUserId]);
    return row?.id ?? null;
  }

  /** Creates customers with one id each; gives those made, not those by whose id somebody goes already. */
  async create(
    executor: Executor,
    projectId: string,
    customers: NewCustomer[],
    nowMs: number,
  ): Promise<Set<string>> {
    const now = new Date(nowMs);
    const rows = await executor.query<{ id: string }>(create, [
      projectId,
      customers.map(({ appUserId }) => appUserId),
      customers.map(({ id }) => id),
      customers.map(({ isAnonymous }) => isAnonymous),
      now,
      customers.map(({ device }) => (device ? now : null)),
      customers.map(({ device }) => device?.platform ?? null),
      customers.map(({ device }) => device?.platformVersion ?? null),
      customers.map(({ device }) => device?.appVersion ?? null),
      customers.map(({ device }) => device?.country ?? null),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives a customer another id; a unique violation when somebody goes by it already. */
  async addAlias(
    tx: Transaction,
    projectId: string,
    customerId: string,
    alias: { appUserId: string; isAnonymous: boolean; nowMs: number },
  ): Promise<void> {
    await tx.query(addAlias, [
      projectId,
      alias.appUserId,
      customerId,
      alias.isAnonymous,
      new Date(alias.nowMs),
    ]);
  }

  /** Writes what the row holds of the installation. */
  async setInstallation(tx: Transaction, projectId: string, row: CustomerRow): Promise<void> {
    const { id, originalApplicationVersion, originalPurchaseAtMs } = row;
    const at = originalPurchaseAtMs === null ? null : new Date(originalPurchaseAtMs);
    await tx.query(setInstallation, [projectId, id, originalApplicationVersion, at]);
  }
}
