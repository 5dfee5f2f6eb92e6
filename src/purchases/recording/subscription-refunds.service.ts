import { Injectable } from '@nestjs/common';
import { applySubscription, type Subscription, viewSubscription } from '../../../libs/engine/index.js';
import { refunded } from '../../../libs/stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWrites } from '../../platform/audit/project-writes.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { type SubscriptionRow, timeOf } from '../../customers/customers/customer-state.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import type { Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { subscriptionOf } from '../../customers/customers/customer-purchases.js';
import { PurchaseRecorder } from './purchase-recorder.js';

export interface PeriodRefund {
  /** Key of the period; null: the latest one. */
  periodKey: string | null;
  /** `full` ends the access that the period gives; `partial` is only money. */
  kind: 'full' | 'partial';
}

/** Gives the money of Test Store subscriptions back. */
@Injectable()
export class SubscriptionRefundsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly writes: ProjectWrites,
  ) {}

  /**
   * Refunds a period of a subscription of the Test Store, which is its own store.
   * @throws ApiError 404 when the subscription is gone meanwhile; 422 for a trial and for what is refunded already
   */
  async refund(write: ProjectWrite, row: SubscriptionRow, refund: PeriodRefund): Promise<void> {
    // Before the transaction: a load of the catalog needs a connection of its own.
    const catalog = await this.catalogs.get(write.projectId);
    await this.writes.run(write, async (tx) => {
      const { customer, subscription } = await this.lock(tx, write.projectId, row);
      const realMs = tx.nowMs();
      const nowMs = timeOf(customer, realMs);
      // Newer than what was said last, even in the same millisecond.
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
        data: { store_transaction_id: subscription.facts.periods[key]?.value.storeTransactionId },
      });
    });
  }

  private async lock(
    tx: Transaction,
    projectId: string,
    { id, store, environment, storeKey }: SubscriptionRow,
  ) {
    const purchaseKeys = { store, environment, keys: [storeKey] };
    const [customer] = await this.customers.lock(tx, projectId, { appUserIds: [], purchaseKeys });
    const row = customer?.subscriptions.find((subscription) => subscription.id === id);
    if (!customer || !row) throw ApiError.missing('subscription', id);
    return { customer, subscription: subscriptionOf(row) };
  }

  /** Key of a period that was paid for and not refunded. */
  private paidPeriod({ facts }: Subscription, periodKey: string | null): string {
    const { all, latest } = viewSubscription(facts);
    const period = periodKey === null ? latest : all.find(({ key }) => key === periodKey);
    if (!period || period.kind === 'trial') {
      throw new ApiError('impossible', 'Nothing was paid that could be refunded.');
    }
    if (typeof facts.refunds[period.key]?.value.revokedAtMs === 'number') {
      throw new ApiError('impossible', 'The payment is refunded already.');
    }
    return period.key;
  }
}
