import { Injectable } from '@nestjs/common';
import {
  applyOneTime,
  applySubscription,
  deriveOneTime,
  effectiveFacts,
  type Subscription,
  viewSubscription,
} from '../../../libs/engine/index.js';
import { refunded, saleRefunded } from '../../../libs/stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import {
  type OneTimeRow,
  type SubscriptionRow,
  timeOf,
} from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { oneTimeOf, subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';

export interface PeriodRefund {
  /** Null: the latest period. */
  periodKey: string | null;
  /** `full` also ends the period's access; `partial` only returns money. */
  kind: 'full' | 'partial';
}

/** Refunds purchases of the Test Store. This server is that store, so it reports the refund to itself. */
@Injectable()
export class TestStoreRefundsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404 if the subscription no longer exists; 422 for a trial or a payment already refunded */
  async refundSubscription(write: ProjectWrite, row: SubscriptionRow, refund: PeriodRefund): Promise<void> {
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(write.projectId);
    await this.writes.run(write, async (tx) => {
      const { customer, subscription } = await this.lockSubscription(tx, write.projectId, row);
      const realMs = tx.nowMs();
      const nowMs = timeOf(customer, realMs);
      // Later than the last report, even within the same millisecond.
      const atMs = Math.max(nowMs, subscription.factsAtMs + 1);
      const key = this.paidPeriod(subscription, refund.periodKey);
      const observation = refunded(subscription.facts, atMs, { key, kind: refund.kind, revokedAtMs: nowMs });
      const owner = { customer, appId: row.appId, seenAs: customer.originalAppUserId };
      await this.recorder.record(tx, { catalog, nowMs: realMs }, (change) =>
        change.addSubscription(applySubscription(subscription, observation, atMs), owner),
      );
      await tx.audit({
        action: refund.kind === 'full' ? 'refunded' : 'transaction_refunded',
        target: 'subscription',
        targetId: row.id,
        data: {
          store_transaction_id: effectiveFacts(subscription.facts).periods[key]?.value.storeTransactionId,
        },
      });
    });
  }

  /** Ends access immediately. @throws ApiError 404 if the purchase no longer exists; 422 if it is already refunded */
  async refundOneTime(write: ProjectWrite, row: OneTimeRow): Promise<void> {
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(write.projectId);
    await this.writes.run(write, (tx) => this.refundOneTimeIn(tx, row, catalog));
  }

  private async refundOneTimeIn(tx: WriteTransaction, row: OneTimeRow, catalog: Catalog): Promise<void> {
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

  private async lockSubscription(
    tx: Transaction,
    projectId: string,
    { id, store, environment, storeKey }: SubscriptionRow,
  ) {
    const purchaseKeys = { store, environment, keys: [storeKey] };
    const owners = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
    const customer = owners.find(({ subscriptions }) => subscriptions.some((one) => one.id === id));
    const row = customer?.subscriptions.find((subscription) => subscription.id === id);
    if (!customer || !row) throw ApiError.missing('subscription', id);
    return { customer, subscription: subscriptionOf(row) };
  }

  /** The key of a paid period that is not refunded. @throws ApiError 422 */
  private paidPeriod({ facts }: Subscription, periodKey: string | null): string {
    const { all, latest, facts: known } = viewSubscription(facts);
    const period = periodKey === null ? latest : all.find(({ key }) => key === periodKey);
    if (!period || period.kind === 'trial') {
      throw new ApiError('impossible', 'There is no payment to refund.');
    }
    if (typeof known.refunds[period.key]?.value.revokedAtMs === 'number') {
      throw new ApiError('impossible', 'The payment is already refunded.');
    }
    return period.key;
  }
}
