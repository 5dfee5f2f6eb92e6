import { Injectable } from '@nestjs/common';
import { applyOneTime, deriveOneTime } from '../../../libs/engine/index.js';
import { saleRefunded } from '../../../libs/stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { type OneTimeRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { oneTimeOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';

/** Refunds Test Store one-time purchases. */
@Injectable()
export class OneTimeRefundsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly customers: CustomersService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Ends access immediately. @throws ApiError 404 if the purchase no longer exists; 422 if it is already refunded */
  async refund(write: ProjectWrite, row: OneTimeRow): Promise<void> {
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(write.projectId);
    await this.writes.run(write, (tx) => this.refundIn(tx, row, catalog));
  }

  private async refundIn(tx: WriteTransaction, row: OneTimeRow, catalog: Catalog): Promise<void> {
    const { projectId } = tx.write;
    const { id, store, environment, purchaseKey } = row;
    const purchaseKeys = { store, environment, keys: [purchaseKey] };
    const owners = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
    const customer = owners.find(({ purchases }) => purchases.some((one) => one.id === id));
    const locked = customer?.purchases.find((purchase) => purchase.id === id);
    if (!customer || !locked) throw ApiError.missing('purchase', id);
    const purchase = oneTimeOf(locked);
    const { status, quantity } = deriveOneTime(purchase.facts);
    if (status === 'refunded') throw new ApiError('impossible', 'The purchase is already refunded.');
    const realMs = tx.nowMs();
    const nowMs = timeOf(customer, realMs);
    // Later than the last report, even within the same millisecond.
    const atMs = Math.max(nowMs, purchase.factsAtMs + 1);
    const refund = applyOneTime(purchase, saleRefunded(quantity, atMs, nowMs));
    const owner = { customer, appId: locked.appId, seenAs: customer.originalAppUserId };
    await this.recorder.record(tx, { catalog, nowMs: realMs }, (change) => change.addOneTime(refund, owner));
    await tx.audit({ action: 'refunded', target: 'purchase', targetId: id });
  }
}
