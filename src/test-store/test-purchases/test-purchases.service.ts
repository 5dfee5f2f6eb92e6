import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { TestActsService } from './test-acts.service.js';
import type { TestPurchase } from './test-purchase.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';
import { TestSalesService } from './test-sales.service.js';

/** Records scenarios of Test Store purchases, each step at its own time. */
@Injectable()
export class TestPurchasesService {
  constructor(
    private readonly sales: TestSalesService,
    private readonly acts: TestActsService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Runs a scenario on the given subscription, or else on a new purchase.
   * @throws ApiError 400 naming the field; 404 for an unknown app, product or subscription; 409 if the transfer
   * behavior leaves the purchase with its owner; 422 for another store, or an impossible scenario
   */
  async run(write: ProjectWrite, body: CreateTestPurchaseDto, requestId: string): Promise<TestPurchase> {
    const catalog = await this.catalogs.getCurrent(write.projectId);
    const { subscription_id: subscriptionId } = body;
    const work =
      subscriptionId === undefined
        ? this.sales.work(catalog, body, requestId)
        : await this.acts.work(catalog, body, subscriptionId);
    return this.writes.run(
      write,
      async (tx) => {
        const done = await work(tx);
        const target = done.purchaseId === null ? 'subscription' : 'purchase';
        const targetId = done.purchaseId ?? done.subscriptionId ?? '';
        const data = { scenario: done.scenario };
        await tx.audit({ action: 'simulated', target, targetId, data });
        return done;
      },
      { retryUniqueViolation: true },
    );
  }
}
