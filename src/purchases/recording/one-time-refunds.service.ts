import { Inject, Injectable } from '@nestjs/common';
import { applyOneTime, deriveOneTime } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { saleRefunded } from '../../../libs/stores/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type OneTimeRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { oneTimeOf, type OwnedOneTime } from '../../customers/customers/customer-purchases.js';
import { type FoundPurchase, PurchaseLookupsService } from './purchase-lookups.service.js';
import { PurchaseRecorder } from './purchase-recorder.js';

function alreadyRefunded(): ApiError {
  return new ApiError('impossible', 'The purchase is refunded already.');
}

/** Gives the money of one-time purchases back. */
@Injectable()
export class PurchaseRefundsService {
  /** Refunds in other stores, which sets itself; throws ApiError 422 for a store without refunds, 503 for one away. */
  others: (write: ProjectWrite, row: OneTimeRow) => Promise<void> = (_, { store }) => {
    throw new ApiError('impossible', `Purchases of ${store} cannot be refunded from here.`);
  };

  constructor(
    @Inject(PurchaseLookupsService) private readonly lookups: PurchaseLookupsService,
    @Inject(PurchaseRecorder) private readonly recorder: PurchaseRecorder,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Refunds a purchase; what it unlocked ends at once. The Test Store is its own store.
   * @throws ApiError 404; 422 for a store without refunds, and for what is refunded already; 503 for a store that
   *   cannot be reached
   */
  async refund(write: ProjectWrite, purchaseId: string): Promise<FoundPurchase<OwnedOneTime>> {
    const { projectId } = write;
    const { owned, view } = await this.lookups.oneTime(projectId, purchaseId);
    const { purchase, state, row } = owned;
    if (purchase.store === 'test_store') {
      await this.database.transaction((tx) => this.refundIn(tx, write, owned, view.catalog));
    } else if (state.status === 'refunded') {
      throw alreadyRefunded();
    } else {
      await this.others(write, row);
    }
    return this.lookups.oneTime(projectId, purchaseId);
  }

  private async refundIn(
    tx: Transaction,
    write: ProjectWrite,
    { row }: OwnedOneTime,
    catalog: Catalog,
  ): Promise<void> {
    const { projectId } = write;
    const { id, store, environment, purchaseKey } = row;
    const purchaseKeys = { store, environment, keys: [purchaseKey] };
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
    const locked = customer?.purchases.find((purchase) => purchase.id === id);
    if (!customer || !locked) throw ApiError.missing('purchase', id);
    const purchase = oneTimeOf(locked);
    const { status, quantity } = deriveOneTime(purchase.facts);
    if (status === 'refunded') throw alreadyRefunded();
    const realMs = this.clock.nowMs();
    const nowMs = timeOf(customer, realMs);
    // Newer than what was said last, even in the same millisecond.
    const atMs = Math.max(nowMs, purchase.factsAtMs + 1);
    const change = applyOneTime(purchase, saleRefunded(quantity, atMs, nowMs));
    const builder = this.recorder.newChange(catalog, realMs);
    builder.addOneTime(change, { customer, appId: locked.appId, seenAs: customer.originalAppUserId });
    await this.recorder.save(tx, projectId, builder, [], realMs);
    await this.audit.record(tx, write, { action: 'refunded', target: 'purchase', targetId: id });
  }
}
