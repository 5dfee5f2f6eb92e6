import { Inject, Injectable } from '@nestjs/common';
import type { Store } from '../../libs/engine/index.js';
import type { Clock } from '../../libs/kernel/index.js';
import type { StoreAccount } from '../../libs/stores/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

const note = statement(
  'store_accounts.note',
  `INSERT INTO store_accounts AS known (project_id, app_id, kind, account_key, customer_id, seen_at)
   SELECT $1, $2, seen.kind, seen.key, a.customer_id, $6
   FROM unnest($3::text[], $4::text[]) AS seen (kind, key)
   JOIN customer_aliases a ON a.project_id = $1 AND a.app_user_id = $5
   ON CONFLICT (project_id, app_id, kind, account_key) DO UPDATE
     SET customer_id = excluded.customer_id, seen_at = excluded.seen_at
     WHERE known.customer_id <> excluded.customer_id`,
);

const find = statement(
  'store_accounts.find',
  `SELECT c.original_app_user_id AS "appUserId" FROM store_accounts s
   JOIN customers c ON c.project_id = s.project_id AND c.id = s.customer_id
   WHERE s.project_id = $1 AND s.app_id = $2 AND s.kind = $3 AND s.account_key = $4`,
);

/** The accounts of whoever owns a purchase, the last seen first. */
const ofOwner = statement(
  'store_accounts.of_owner',
  `SELECT s.account_key AS key FROM store_accounts s
   WHERE s.project_id = $1 AND s.app_id = $2 AND s.kind = $3 AND s.customer_id IN (
     SELECT p.customer_id FROM subscriptions p
     WHERE p.project_id = $1 AND p.store = $5 AND p.environment IN ('production', 'sandbox') AND p.chain_key = $4
     UNION ALL
     SELECT p.customer_id FROM one_time_purchases p
     WHERE p.project_id = $1 AND p.store = $5 AND p.environment IN ('production', 'sandbox') AND p.purchase_key = $4)
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

/** Which customer a store means by one of its accounts. */
@Injectable()
export class StoreAccountsService {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The customer who goes by that id was seen with these accounts. */
  async note(projectId: string, appId: string, appUserId: string, accounts: StoreAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    await this.database.query(note, [
      projectId,
      appId,
      accounts.map(({ kind }) => kind),
      accounts.map(({ key }) => key),
      appUserId,
      new Date(this.clock.nowMs()),
    ]);
  }

  /** An app user id of the customer who was last seen with an account; null when nobody was. */
  async customerOf(projectId: string, appId: string, { kind, key }: StoreAccount): Promise<string | null> {
    const rows = await this.database.query<{ appUserId: string }>(find, [projectId, appId, kind, key]);
    return rows[0]?.appUserId ?? null;
  }

  /** Keys of the accounts of whoever owns a purchase of a store, the last seen first. */
  async accountsOfOwner(
    projectId: string,
    appId: string,
    kind: StoreAccount['kind'],
    purchase: { store: Store; key: string },
  ): Promise<string[]> {
    const values = [projectId, appId, kind, purchase.key, purchase.store];
    const rows = await this.database.query<{ key: string }>(ofOwner, values);
    return rows.map(({ key }) => key);
  }

  /** The first of some ids that somebody goes by; null when nobody goes by any. */
  async anyoneOf(projectId: string, appUserIds: string[]): Promise<string | null> {
    const rows = await this.database.query<{ appUserId: string }>(knownIds, [projectId, appUserIds]);
    return rows[0]?.appUserId ?? null;
  }

  /** The app user id whose SHA-256 in hexadecimal is given; null when nobody goes by such a one. */
  async hashedAs(projectId: string, hash: string): Promise<string | null> {
    const rows = await this.database.query<{ appUserId: string }>(hashed, [projectId, hash.toLowerCase()]);
    return rows[0]?.appUserId ?? null;
  }
}
