import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { ActiveSubscriptions } from '../../catalog/shared/active-subscriptions.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import { bucketsOf, movementsOfChanges } from './metric-series.js';
import { MetricsRepository } from './metrics.repository.js';
import { RollupRepository } from './rollup.repository.js';
import { soldProduct } from './sold-product.js';

interface ActiveNow {
  catalog: Catalog;
  byProduct: Map<string, number>;
}

const environments = ['production', 'sandbox'] as const;

/** Reads the rollup, so the cost does not depend on the number of subscriptions. Excludes one-time purchases. */
@Injectable()
export class RolledUpActiveSubscriptionsService extends ActiveSubscriptions {
  private readonly reads = new SharedReads<ActiveNow>();

  constructor(
    private readonly repository: MetricsRepository,
    private readonly rollup: RollupRepository,
    private readonly catalogs: CatalogService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  ofProducts(projectId: string, ids: readonly string[]): Promise<number> {
    return this.count(projectId, ({ id }) => ids.includes(id));
  }

  ofApp(projectId: string, appId: string): Promise<number> {
    return this.count(projectId, (product) => product.appId === appId);
  }

  ofEntitlement(projectId: string, entitlementId: string, among?: readonly string[]): Promise<number> {
    return this.count(
      projectId,
      (product, catalog) =>
        (among?.includes(product.id) ?? true) &&
        catalog.entitlementsOf(product.id).some(({ id }) => id === entitlementId),
    );
  }

  private async count(
    projectId: string,
    counts: (product: CatalogProduct, catalog: Catalog) => boolean,
  ): Promise<number> {
    const { catalog, byProduct } = await this.reads.read(projectId, () => this.read(projectId));
    return [...catalog.products.values()]
      .filter((product) => counts(product, catalog))
      .reduce((total, { id }) => total + (byProduct.get(id) ?? 0), 0);
  }

  private read(projectId: string): Promise<ActiveNow> {
    const nowMs = this.clock.nowMs();
    const window = { fromMs: nowMs, nowMs };
    return this.database.snapshotForReading(async (snapshot) => {
      const { changes, catalogVersion } = await this.rollup.tail(snapshot, projectId);
      const catalog = await this.catalogs.get(projectId, catalogVersion);
      const buckets = bucketsOf(movementsOfChanges(changes), window);
      for (const environment of environments) {
        buckets.push(...(await this.repository.buckets(snapshot, projectId, environment, window)));
      }
      const byProduct = new Map<string, number>();
      for (const { trials, subscriptions, ...plan } of buckets) {
        const id = soldProduct(catalog, plan)?.id;
        if (id !== undefined) byProduct.set(id, (byProduct.get(id) ?? 0) + trials + subscriptions);
      }
      return { catalog, byProduct };
    });
  }
}
