import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { RollupRepository, type SoldProduct } from './rollup.repository.js';
import { soldProduct } from './sold-product.js';

/** A purchased product that is not in the catalog. It unlocks nothing, and SDKs do not consume it. */
export interface UnknownProduct {
  appId: string;
  appName: string;
  storeIdentifier: string;
  /** Purchases and renewals, in both environments. */
  transactions: number;
  /** Time of the first purchase, epoch ms; once it is rolled up, the start of its UTC day. */
  sinceMs: number;
}

const MAX_PRODUCTS = 100;

@Injectable()
export class UnknownProductsService {
  constructor(
    private readonly rollup: RollupRepository,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
  ) {}

  forProject(projectId: string): Promise<UnknownProduct[]> {
    return this.database.snapshotForReading(async (snapshot) => {
      const { changes, catalogVersion } = await this.rollup.tail(snapshot, projectId);
      const catalog = await this.catalogs.get(projectId, catalogVersion);
      const unknown = new Map<string, UnknownProduct>();
      const add = ({ appId, storeProductId, transactions, sinceMs }: SoldProduct): void => {
        const app = catalog.apps.get(appId);
        if (!app || storeProductId === '' || soldProduct(catalog, { appId, storeProductId })) return;
        const key = JSON.stringify([appId, storeProductId]);
        const before = unknown.get(key);
        unknown.set(key, {
          appId,
          appName: app.name,
          storeIdentifier: storeProductId,
          transactions: transactions + (before?.transactions ?? 0),
          sinceMs: Math.min(sinceMs, before?.sinceMs ?? sinceMs),
        });
      };
      for (const sold of await this.rollup.soldProducts(snapshot, projectId)) add(sold);
      for (const { startsAtMs, ...period } of changes.added) add({ ...period, sinceMs: startsAtMs });
      for (const { startsAtMs, ...period } of changes.removed) {
        add({ ...period, transactions: -period.transactions, sinceMs: startsAtMs });
      }
      return [...unknown.values()]
        .filter(({ transactions }) => transactions > 0)
        .sort((a, b) => b.transactions - a.transactions)
        .slice(0, MAX_PRODUCTS);
    });
  }
}
