import { Injectable } from '@nestjs/common';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  type PurchaseName,
  type PurchasePlace,
  storesWithKeysOf,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { paymentIdsOf, tokenNeededKey } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const guessed = statement(
  'imported_keys.guessed',
  `SELECT DISTINCT s.store_key AS key FROM subscription_identifiers i
   JOIN subscriptions s ON s.project_id = $1 AND s.id = i.subscription_id
   WHERE i.project_id = $1 AND i.store_identifier = ANY ($4::text[])
     AND s.store = ANY ($2::text[]) AND s.environment = $3 AND s.key_state IS NOT NULL`,
);

const waiting = statement(
  'imported_keys.waiting',
  `SELECT 1 FROM subscriptions WHERE project_id = $1 AND key_state = 'token_needed' AND app_id = $2 LIMIT 1`,
);

/** Finds the keys under which purchases were imported before their store keys were known. */
@Injectable()
export class ImportedKeysService {
  constructor(private readonly database: DatabaseService) {}

  /** Keys to lock in addition to the purchases' own. Queries the database only for projects with imports. */
  async keysOf(
    executor: Executor,
    { projectId, hasImports }: Pick<Catalog, 'projectId' | 'hasImports'>,
    { store, environment }: PurchasePlace,
    purchases: readonly (PurchaseName | VerifiedPurchase)[],
  ): Promise<string[]> {
    if (!hasImports) return [];
    const reported = purchases.filter((purchase) => 'observation' in purchase);
    const ids = reported.flatMap((purchase) =>
      purchase.kind === 'subscription'
        ? paymentIdsOf(purchase.observation.facts)
        : (purchase.observation.facts.purchase?.value.storeTransactionId ?? []),
    );
    if (store === 'play_store') return [...new Set([...ids, ...ids.map(tokenNeededKey)])];
    if (ids.length === 0) return [];
    const rows = await executor.query<{ key: string }>(guessed, [
      projectId,
      storesWithKeysOf(store),
      environment,
      ids,
    ]);
    return rows.map(({ key }) => key);
  }

  /** Whether a subscription of an app is waiting for its purchase token. */
  async isWaiting({ projectId, hasImports }: Catalog, appId: string): Promise<boolean> {
    return hasImports && (await this.database.query(waiting, [projectId, appId])).length > 0;
  }
}
