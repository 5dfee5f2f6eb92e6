import { Injectable } from '@nestjs/common';
import type { Store } from '../../../../libs/engine/index.js';
import type { StoreAccount } from '../../../../libs/stores/index.js';
import { storesWithKeysOf } from '../customer-info/customer-purchases.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

/** A store account as identified by one app of the project. */
export interface AppAccount extends StoreAccount {
  appId: string;
}

export function accountName({ appId, kind, key }: AppAccount): string {
  return `${appId} ${kind} ${key}`;
}

export interface AccountOwner extends AppAccount {
  customerId: string;
}

export interface AccountLocks {
  projectId: string;
  store: Store;
  environment: string;
  keys: string[];
  accounts: AppAccount[];
}

/** A receipt can contain hundreds of purchases. Beyond this limit, their unique keys prevent duplicates. */
const MAX_PURCHASE_LOCKS = 8;

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
   SELECT $1, seen.app_id, seen.kind, seen.key, seen.customer_id, $7
   FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS seen (app_id, kind, key, customer_id)
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

/** Finds the customers of store accounts. */
@Injectable()
export class StoreAccountsService {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Locks purchases and store accounts until the transaction ends, whether or not they are known yet. Must precede the
   * locks of customers. Excludes the Test Store, where only one app can report a purchase.
   */
  async lock(tx: Transaction, wanted: AccountLocks[]): Promise<void> {
    const names = wanted.flatMap(({ projectId, store, environment, keys, accounts }) => {
      if (store === 'test_store') return [];
      return [
        ...accounts.map((account) => `${projectId} account ${accountName(account)}`),
        ...keys
          .slice(0, MAX_PURCHASE_LOCKS)
          .map((key) => `${projectId} purchase ${storesWithKeysOf(store)[0]} ${environment} ${key}`),
      ];
    });
    if (names.length > 0) await tx.query(lock, [names]);
  }

  /**
   * Stores accounts for their owners. The accounts must be locked. An account that already has a customer is not moved,
   * unless the customer is in `replaced`.
   */
  async assignAccounts(
    tx: Transaction,
    projectId: string,
    owners: AccountOwner[],
    nowMs: number,
    replaced: string[] = [],
  ): Promise<void> {
    const seen = new Map(owners.map((owner) => [accountName(owner), owner]));
    if (seen.size === 0) return;
    const rows = [...seen.values()];
    await tx.query(assign, [
      projectId,
      rows.map(({ appId }) => appId),
      rows.map(({ kind }) => kind),
      rows.map(({ key }) => key),
      rows.map(({ customerId }) => customerId),
      replaced,
      new Date(nowMs),
    ]);
  }

  /** Keys of the store accounts of a purchase's owner, most recently seen first. */
  async accountsOfOwner(
    projectId: string,
    appId: string,
    kind: StoreAccount['kind'],
    purchase: { store: Store; key: string },
  ): Promise<string[]> {
    const values = [projectId, appId, kind, purchase.key, storesWithKeysOf(purchase.store)];
    const rows = await this.database.query<{ key: string }>(ofOwner, values);
    return rows.map(({ key }) => key);
  }

  /** The first of the app user ids that is in use, or null. */
  async firstKnown(executor: Executor, projectId: string, appUserIds: string[]): Promise<string | null> {
    const rows = await executor.query<{ appUserId: string }>(knownIds, [projectId, appUserIds]);
    return rows[0]?.appUserId ?? null;
  }

  /** The app user id in use with the given SHA-256 in hexadecimal, or null. */
  async hashedAs(executor: Executor, projectId: string, hash: string): Promise<string | null> {
    const rows = await executor.query<{ appUserId: string }>(hashed, [projectId, hash.toLowerCase()]);
    return rows[0]?.appUserId ?? null;
  }
}
