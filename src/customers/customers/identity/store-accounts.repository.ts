import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

/** Sorted by the locked value, so that all transactions lock in the same order. */
const lock = statement(
  'store_accounts.lock',
  `SELECT count(pg_advisory_xact_lock(sorted.value)) AS locks FROM (
     SELECT DISTINCT hashtextextended(name, 0) AS value FROM unnest($1::text[]) AS name ORDER BY value) sorted`,
);

/** $6: customers whose accounts may move to another one. */
const assign = statement(
  'store_accounts.note',
  `INSERT INTO store_accounts AS known (project_id, app_id, kind, account_key, customer_id, seen_at)
   SELECT a.project_id, seen.app_id, seen.kind, seen.key, seen.customer_id, $7
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS seen (app_id, kind, key, customer_id)
   WHERE a.project_id = $1 AND a.app_id = ''
   ORDER BY seen.app_id, seen.kind, seen.key
   ON CONFLICT (project_id, app_id, kind, account_key) DO UPDATE
     SET customer_id = excluded.customer_id, seen_at = excluded.seen_at
     WHERE known.customer_id = ANY($6::text[])`,
);

const ofOwner = statement(
  'store_accounts.of_owner',
  `SELECT s.account_key AS key FROM store_accounts s
   WHERE s.project_id = $1 AND s.app_id = $2 AND s.kind = $3 AND s.customer_id IN (
     SELECT p.customer_id FROM subscriptions p
     WHERE p.project_id = $1 AND p.store = ANY ($5::text[]) AND p.environment IN ('production', 'sandbox') AND p.store_key = $4
     UNION ALL
     SELECT p.customer_id FROM one_time_purchases p
     WHERE p.project_id = $1 AND p.store = ANY ($5::text[]) AND p.environment IN ('production', 'sandbox') AND p.purchase_key = $4)
   ORDER BY s.seen_at DESC LIMIT 5`,
);

const knownIds = statement(
  'store_accounts.known_ids',
  `SELECT app_user_id AS "appUserId" FROM customer_aliases
   WHERE project_id = $1 AND app_user_id = ANY($2::text[]) LIMIT 1`,
);

const hashed = statement(
  'store_accounts.hashed',
  `SELECT app_user_id AS "appUserId" FROM customer_aliases
   WHERE project_id = $1 AND app_user_id_hash(app_user_id) = $2 LIMIT 1`,
);

/** A store account and the customer to assign it to. */
export interface StoreAccountRow {
  appId: string;
  kind: string;
  key: string;
  customerId: string;
}

@Injectable()
export class StoreAccountsRepository {
  constructor(private readonly database: DatabaseService) {}

  async lock(tx: Transaction, names: readonly string[]): Promise<void> {
    await tx.query(lock, [names]);
  }

  /** An account that already has a customer keeps it, unless the customer is in `replaced`. */
  async assign(
    tx: Transaction,
    projectId: string,
    rows: readonly StoreAccountRow[],
    seenAt: Date,
    replaced: readonly string[],
  ): Promise<void> {
    await tx.query(assign, [
      projectId,
      rows.map(({ appId }) => appId),
      rows.map(({ kind }) => kind),
      rows.map(({ key }) => key),
      rows.map(({ customerId }) => customerId),
      replaced,
      seenAt,
    ]);
  }

  /** Returns account keys of a purchase's owner, most recently seen first. */
  async keysOfOwner(
    projectId: string,
    appId: string,
    kind: string,
    purchase: { stores: readonly string[]; key: string },
  ): Promise<string[]> {
    const values = [projectId, appId, kind, purchase.key, purchase.stores];
    const rows = await this.database.query<{ key: string }>(ofOwner, values);
    return rows.map(({ key }) => key);
  }

  async firstKnown(
    executor: Executor,
    projectId: string,
    appUserIds: readonly string[],
  ): Promise<string | null> {
    const rows = await executor.query<{ appUserId: string }>(knownIds, [projectId, appUserIds]);
    return rows[0]?.appUserId ?? null;
  }

  /** `hash`: SHA-256 in lower-case hexadecimal. */
  async hashedAs(executor: Executor, projectId: string, hash: string): Promise<string | null> {
    const rows = await executor.query<{ appUserId: string }>(hashed, [projectId, hash]);
    return rows[0]?.appUserId ?? null;
  }
}
