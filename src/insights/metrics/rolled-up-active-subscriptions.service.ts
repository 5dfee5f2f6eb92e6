import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { ActiveSubscriptions } from '../../catalog/shared/active-subscriptions.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { SharedReads } from '../../platform/database/shared-reads.js';
import { KeyFiguresService } from '../charts/key-figures/key-figures.service.js';
import { productOf } from './product-of-figures.js';

interface ActiveNow {
  catalog: Catalog;
  byProduct: Map<string, number>;
}

/** Reads the rollup, so the cost does not depend on the number of subscriptions. Excludes one-time purchases. */
@Injectable()
export class RolledUpActiveSubscriptionsService extends ActiveSubscriptions {
  private readonly reads = new SharedReads<ActiveNow>();

  constructor(
    private readonly figures: KeyFiguresService,
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

  private async read(projectId: string): Promise<ActiveNow> {
    await this.figures.catchUp(projectId);
    const nowMs = this.clock.nowMs();
    const catalog = await this.catalogs.getCurrent(projectId);
    return this.database.snapshotForReading(async (snapshot) => {
      const byProduct = new Map<string, number>();
      for (const figures of await this.figures.byProduct(snapshot, projectId, nowMs)) {
        const id = productOf(catalog, figures).product?.id;
        if (id !== undefined) byProduct.set(id, (byProduct.get(id) ?? 0) + figures.active);
      }
      return { catalog, byProduct };
    });
  }
}
