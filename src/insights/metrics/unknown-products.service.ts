import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeyFiguresService } from '../charts/key-figures/key-figures.service.js';
import { productOf } from './product-of-figures.js';

/** A purchased product that is not in the catalog. It unlocks nothing, and SDKs do not consume it. */
export interface UnknownProduct {
  appId: string;
  appName: string;
  storeIdentifier: string;
  /** Purchases and renewals, in both environments. */
  transactions: number;
  /** Start of the UTC day of the first purchase, epoch ms. */
  sinceMs: number;
}

const MAX_PRODUCTS = 100;

@Injectable()
export class UnknownProductsService {
  constructor(
    private readonly figures: KeyFiguresService,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async forProject(projectId: string): Promise<UnknownProduct[]> {
    await this.figures.catchUp(projectId);
    const nowMs = this.clock.nowMs();
    const catalog = await this.catalogs.getCurrent(projectId);
    return this.database.snapshotForReading(async (snapshot) => {
      const unknown = new Map<string, UnknownProduct>();
      for (const figures of await this.figures.byProduct(snapshot, projectId, nowMs)) {
        const { appId, transactions } = figures;
        const { product, storeIdentifier } = productOf(catalog, figures);
        const app = catalog.apps.get(appId);
        if (product || !app || storeIdentifier === '') continue;
        const key = JSON.stringify([appId, storeIdentifier]);
        const before = unknown.get(key);
        const sinceMs = figures.sinceMs ?? nowMs;
        unknown.set(key, {
          appId,
          appName: app.name,
          storeIdentifier,
          transactions: transactions + (before?.transactions ?? 0),
          sinceMs: Math.min(sinceMs, before?.sinceMs ?? sinceMs),
        });
      }
      return [...unknown.values()]
        .filter(({ transactions }) => transactions > 0)
        .sort((a, b) => b.transactions - a.transactions)
        .slice(0, MAX_PRODUCTS);
    });
  }
}
