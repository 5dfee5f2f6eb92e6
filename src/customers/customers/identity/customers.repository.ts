import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import { ConcurrentChange } from '../../../platform/database/database-errors.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';
import { hideFromPlanner } from '../../../platform/database/hide-from-planner.js';
import { isAnonymousId } from '../../../platform/http/bodies/app-user-id.js';
import type { AttributeRow, CustomerRow } from './customer-state.js';
import { ownAccounts, selection } from './customer-selection.sql.js';
import { customerStateColumns } from './customer-state.sql.js';
import { storesWithKeysOf } from '../customer-info/customer-purchases.js';
import type { Device } from '../last-seen/device.js';
import type { AppAccount } from './store-accounts.service.js';

/** The customers affected by a change: by any of their ids, or as owners of a store purchase or account. */
export interface CustomerSelection {
  appUserIds: string[];
  /** Subscription and one-time purchase keys of one store and environment. */
  purchaseKeys?: { store: string; environment: string; keys: string[] };
  accounts?: AppAccount[];
}

/**
 * Locks the customers in id order. A row that had to be waited for is returned in its newest version, but everything
 * else is as old as the statement. A different `seenVersion` reveals that.
 */
const lockAndLoad = statement(
  'customers.lock_and_load',
  `SELECT ${customerStateColumns}, ${ownAccounts},
     (SELECT x.version FROM customers x WHERE x.project_id = $1 AND x.id = c.id) AS "seenVersion"
   FROM customers c WHERE ${selection} ORDER BY c.id FOR UPDATE OF c`,
);

const lockId = statement(
  'customers.lock_id',
  `SELECT c.id FROM customers c WHERE c.project_id = $1
     AND c.id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2) FOR UPDATE`,
);

const idsOf = statement(
  'customers.ids_of',
  `SELECT app_user_id AS "appUserId", customer_id AS "customerId" FROM customer_aliases
   WHERE project_id = $1 AND app_user_id = ANY ($2::text[])`,
);

const loadSelected = statement(
  'customers.load_selected',
  `SELECT ${customerStateColumns}, ${ownAccounts} FROM customers c WHERE ${selection} ORDER BY c.id`,
);

const loadByIds = statement(
  'customers.load_by_ids',
  `SELECT ${customerStateColumns} FROM customers c
   WHERE c.project_id = $1 AND c.id = ANY (${hideFromPlanner('$2::text[]')}::text[]) ORDER BY c.id`,
);

const load = statement(
  'customers.load',
  `SELECT ${customerStateColumns} FROM customers c
   WHERE c.project_id = $1
     AND c.id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2)`,
);

const attributes = statement(
  'customers.attributes',
  `SELECT t.name, t.value, t.updated_at_ms AS "updatedAtMs", t.source FROM customer_attributes t
   WHERE t.project_id = $1
     AND t.customer_id = (SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2)`,
);

const lockShared = statement(
  'customers.lock_shared',
  'SELECT 1 FROM customers c WHERE c.project_id = $1 AND c.id = $2 FOR SHARE',
);

const attributesNamed = statement(
  'customers.attributes_named',
  `SELECT t.name, t.value FROM customer_attributes t
   WHERE t.project_id = $1 AND t.customer_id = $2 AND t.name = ANY ($3::text[]) AND t.value IS NOT NULL`,
);

/** $2: the customers as JSON, $3: their ids, $4: current time. Those whose id was not in use have an alias by now. */
const create = statement(
  'customers.create',
  `INSERT INTO customers AS c (project_id, id, original_app_user_id, first_seen_at, last_seen_at, last_seen_platform,
     last_seen_platform_version, last_seen_app_version, last_seen_country, last_seen_platform_flavor,
     last_seen_sdk_version, first_seen_platform, first_seen_app_version, first_seen_country, created_at)
   SELECT n.project_id, n.customer_id, n.app_user_id, $4::timestamptz, CASE WHEN d."isSeen" THEN $4::timestamptz END,
     d.platform, d."platformVersion", d."appVersion", d.country, d."platformFlavor", d."sdkVersion",
     CASE WHEN d."isSdk" THEN d.platform END, CASE WHEN d."isSdk" THEN d."appVersion" END,
     CASE WHEN d."isSdk" THEN d.country END, $4
   FROM customer_aliases n JOIN json_to_recordset($2::json) AS d(id text, platform text, "platformVersion" text,
     "appVersion" text, country text, "platformFlavor" text, "sdkVersion" text, "isSeen" boolean, "isSdk" boolean)
     ON d.id = n.customer_id
   WHERE n.project_id = $1 AND n.app_user_id = ANY (${hideFromPlanner('$3::text[]')}::text[])
   RETURNING c.id`,
);

const overrideOffering = statement(
  'customers.override_offering',
  `UPDATE customers SET current_offering_override = $3 WHERE project_id = $1 AND id = $2`,
);

const addAlias = statement(
  'customers.add_alias',
  `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
   VALUES ($1, $2, $3, $4, $5)`,
);

/** Skips ids that are in use. */
const addAliases = statement(
  'customers.add_aliases',
  `INSERT INTO customer_aliases AS t (project_id, app_user_id, customer_id, is_anonymous, created_at)
   SELECT a.project_id, n.app_user_id, n.customer_id, n.is_anonymous, $5
   FROM project_anchors a
     CROSS JOIN unnest($2::text[], $3::text[], $4::boolean[]) AS n(app_user_id, customer_id, is_anonymous)
   WHERE a.project_id = $1 AND a.app_id = ''
   ORDER BY n.app_user_id ON CONFLICT (project_id, app_user_id) DO NOTHING RETURNING t.app_user_id`,
);

const setImported = statement(
  'customers.set_imported',
  `UPDATE customers c SET original_application_version = r."originalApplicationVersion",
     original_purchase_at = to_timestamp(r."originalPurchaseAtMs" / 1000.0),
     current_offering_override = CASE WHEN r."setsOffering" THEN r."offeringId" ELSE c.current_offering_override END
   FROM json_to_recordset($2::json) AS r(id text, "originalApplicationVersion" text, "originalPurchaseAtMs" bigint,
     "setsOffering" boolean, "offeringId" text)
   WHERE c.project_id = $1 AND c.id = r.id`,
);

const blockedAmong = statement(
  'customers.blocked_among',
  `SELECT app_user_id AS "appUserId" FROM blocked_customers WHERE project_id = $1 AND app_user_id = ANY ($2::text[])`,
);

/** A concurrent insert of the same id waits until this transaction ends. */
const takeId = statement(
  'customers.take_id',
  `INSERT INTO customer_aliases (project_id, app_user_id, customer_id, is_anonymous, created_at)
   VALUES ($1, $2, '', false, 'epoch') ON CONFLICT DO NOTHING RETURNING 1`,
);
const releaseId = statement(
  'customers.release_id',
  `DELETE FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2`,
);

const raiseVersion = statement(
  'customers.raise_version',
  `UPDATE customers SET version = version + 1 WHERE project_id = $1 AND id = $2`,
);

const setInstallation = statement(
  'customers.set_installation',
  `UPDATE customers SET original_application_version = $3, original_purchase_at = $4
   WHERE project_id = $1 AND id = $2`,
);

export interface NewAlias {
  customerId: string;
  appUserId: string;
}

/** Columns of a customer that only imports write together. */
export interface ImportedFields {
  id: string;
  originalApplicationVersion: string | null;
  originalPurchaseAtMs: number | null;
  setsOffering: boolean;
  /** Null with `setsOffering`: the project's offering. */
  offeringId: string | null;
}

export interface NewCustomer {
  id: string;
  appUserId: string;
  isAnonymous: boolean;
  /** Null if no SDK has reported the customer. */
  device: Device | null;
}

export function newCustomer(appUserId: string, device: Device | null, nowMs: number): NewCustomer {
  return { id: newId('customer', nowMs), appUserId, isAnonymous: isAnonymousId(appUserId), device };
}

export function newCustomerRow(
  { id, appUserId, isAnonymous, device }: NewCustomer,
  blocked: boolean,
  nowMs: number,
): CustomerRow {
  return {
    id,
    originalAppUserId: appUserId,
    firstSeenAtMs: nowMs,
    lastSeenAtMs: device ? nowMs : null,
    lastSeenPlatform: device?.platform ?? null,
    lastSeenPlatformVersion: device?.platformVersion ?? null,
    lastSeenAppVersion: device?.appVersion ?? null,
    lastSeenCountry: device?.country ?? null,
    originalApplicationVersion: null,
    originalPurchaseAtMs: null,
    testClockId: null,
    testClockMs: null,
    version: 1,
    eventSequence: 0,
    lastEventAtMs: null,
    blocked,
    aliases: [{ appUserId, isAnonymous, createdAtMs: nowMs }],
    attributes: [],
    enrollments: [],
    subscriptions: [],
    purchases: [],
  };
}

function selectionValues(
  projectId: string,
  { appUserIds, purchaseKeys, accounts = [] }: CustomerSelection,
): unknown[] {
  const { store, environment, keys } = purchaseKeys ?? { store: '', environment: '', keys: [] };
  const columns = (['appId', 'kind', 'key'] as const).map((name) => accounts.map((account) => account[name]));
  return [projectId, appUserIds, storesWithKeysOf(store), environment, keys, ...columns];
}

@Injectable()
export class CustomersRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(
    projectId: string,
    appUserId: string,
    executor: Executor = this.database,
  ): Promise<CustomerRow | null> {
    return (await executor.query<CustomerRow>(load, [projectId, appUserId]))[0] ?? null;
  }

  loadByIds(
    projectId: string,
    customerIds: string[],
    executor: Executor = this.database,
  ): Promise<CustomerRow[]> {
    return executor.query(loadByIds, [projectId, customerIds]);
  }

  /** Attributes of the customer with an id, including deleted ones. */
  attributes(projectId: string, appUserId: string): Promise<AttributeRow[]> {
    return this.database.query(attributes, [projectId, appUserId]);
  }

  /** Attributes of a customer, unchanged until the transaction ends; null if there is no such customer. */
  async lockAttributes(
    tx: Transaction,
    projectId: string,
    customerId: string,
    names: string[],
  ): Promise<Map<string, string> | null> {
    const locked = await tx.query(lockShared, [projectId, customerId]);
    if (locked.length === 0) return null;
    const values = [projectId, customerId, names];
    const rows = await tx.query<{ name: string; value: string }>(attributesNamed, values);
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  select(executor: Executor, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    return executor.query(loadSelected, selectionValues(projectId, wanted));
  }

  /**
   * The selected customers, locked until the transaction ends, with their state after locking.
   * @throws ConcurrentChange if the selection changed and locking the rest would be out of order
   */
  async lock(tx: Transaction, projectId: string, wanted: CustomerSelection): Promise<CustomerRow[]> {
    const values = selectionValues(projectId, wanted);
    const rows = await tx.query<CustomerRow & { seenVersion: number }>(lockAndLoad, values);
    if (rows.every((row) => row.version === row.seenVersion)) return rows;
    // Another transaction changed a customer while this one waited. Read again now that the locks are held.
    const fresh = await tx.query<CustomerRow>(loadSelected, values);
    const locked = new Set(rows.map(({ id }) => id));
    if (fresh.every(({ id }) => locked.has(id))) return fresh;
    // An id or a purchase moved to a customer who is not locked. Waiting for that lock could cause a deadlock.
    throw new ConcurrentChange('the customers to be locked have changed');
  }

  async idsOf(projectId: string, appUserIds: readonly string[]): Promise<Map<string, string>> {
    const values = [projectId, appUserIds];
    const rows = await this.database.query<{ appUserId: string; customerId: string }>(idsOf, values);
    return new Map(rows.map(({ appUserId, customerId }) => [appUserId, customerId]));
  }

  async lockId(tx: Transaction, projectId: string, appUserId: string): Promise<string | null> {
    const rows = await tx.query<{ id: string }>(lockId, [projectId, appUserId]);
    // The customer was merged into another while this statement waited, so the id is outdated. Try again.
    const [row] = rows.length > 0 ? rows : await tx.query<{ id: string }>(lockId, [projectId, appUserId]);
    return row?.id ?? null;
  }

  /** Creates customers with one id each. Returns the created ones; ids in use are skipped. */
  async create(
    projectId: string,
    customers: NewCustomer[],
    nowMs: number,
    tx?: Transaction,
  ): Promise<Set<string>> {
    if (!tx) return this.database.transaction((own) => this.create(projectId, customers, nowMs, own));
    const aliases = customers.map(({ id, appUserId }) => ({ customerId: id, appUserId }));
    const rows = customers.map(({ id, device }) => ({
      ...device,
      id,
      isSeen: device !== null,
      isSdk: device !== null && !device.isBackend,
    }));
    const appUserIds = customers.map(({ appUserId }) => appUserId);
    const [, created] = await Promise.all([
      this.addAliases(tx, projectId, aliases, nowMs),
      tx.query<{ id: string }>(create, [projectId, JSON.stringify(rows), appUserIds, new Date(nowMs)]),
    ]);
    return new Set(created.map(({ id }) => id));
  }

  async overrideOffering(
    tx: Transaction,
    projectId: string,
    customerId: string,
    offeringId: string | null,
  ): Promise<void> {
    await tx.query(overrideOffering, [projectId, customerId, offeringId]);
  }

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

  /** Returns the number of added ids; ids in use are skipped. */
  async addAliases(tx: Transaction, projectId: string, aliases: NewAlias[], nowMs: number): Promise<number> {
    const rows = await tx.query(addAliases, [
      projectId,
      aliases.map(({ appUserId }) => appUserId),
      aliases.map(({ customerId }) => customerId),
      aliases.map(({ appUserId }) => isAnonymousId(appUserId)),
      new Date(nowMs),
    ]);
    return rows.length;
  }

  async setImported(tx: Transaction, projectId: string, customers: ImportedFields[]): Promise<void> {
    await tx.query(setImported, [projectId, JSON.stringify(customers)]);
  }

  async blockedAmong(tx: Transaction, projectId: string, appUserIds: string[]): Promise<Set<string>> {
    const rows = await tx.query<{ appUserId: string }>(blockedAmong, [projectId, appUserIds]);
    return new Set(rows.map(({ appUserId }) => appUserId));
  }

  /**
   * Reserves an unused id until the transaction ends. The next transaction to use it sees everything written by this
   * one. Returns false if the id is in use.
   */
  async reserveId(tx: Transaction, projectId: string, appUserId: string): Promise<boolean> {
    const taken = await tx.query(takeId, [projectId, appUserId]);
    if (taken.length === 0) return false;
    await tx.query(releaseId, [projectId, appUserId]);
    return true;
  }

  /** Invalidates the prepared answer of a locked customer. */
  async raiseVersion(tx: Transaction, projectId: string, customerId: string): Promise<void> {
    await tx.query(raiseVersion, [projectId, customerId]);
  }

  async setInstallation(tx: Transaction, projectId: string, row: CustomerRow): Promise<void> {
    const { id, originalApplicationVersion, originalPurchaseAtMs } = row;
    const at = originalPurchaseAtMs === null ? null : new Date(originalPurchaseAtMs);
    await tx.query(setInstallation, [projectId, id, originalApplicationVersion, at]);
  }
}
