import { Injectable } from '@nestjs/common';
import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import {
  type PurchaseName,
  type PurchasePlace,
  storesWithKeysOf,
} from '../../customers/customers/customer-info/customer-purchases.js';
import { paymentIdsOf, tokenNeededKey } from '../../customers/customers/customer-info/unconfirmed-keys.js';
import type { Executor } from '../../platform/database/database.service.js';
import { ImportedKeysRepository } from './imported-keys.repository.js';

/** Finds the keys under which purchases were imported before their store keys were known. */
@Injectable()
export class ImportedKeysService {
  constructor(private readonly repository: ImportedKeysRepository) {}

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
    return this.repository.guessedKeys(executor, projectId, storesWithKeysOf(store), environment, ids);
  }

  /** Whether a subscription of an app is waiting for its purchase token. */
  async isWaiting({ projectId, hasImports }: Catalog, appId: string): Promise<boolean> {
    return hasImports && (await this.repository.isWaiting(projectId, appId));
  }
}
