import { Injectable } from '@nestjs/common';
import {
  applySubscription,
  effectiveFacts,
  type Subscription,
  viewSubscription,
} from '../../../libs/engine/index.js';
import { refunded } from '../../../libs/stores/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { type SubscriptionRow, timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { subscriptionOf } from '../../customers/customers/customer-info/customer-purchases.js';
import { PurchaseRecorder } from '../../purchases/recording/purchase.recorder.js';

export interface PeriodRefund {
  /** Null: the latest period. */
  periodKey: string | null;
  /** `full` also ends the period's access; `partial` only returns money. */
  kind: 'full' | 'partial';
}

/** Refunds Test Store subscriptions. */
@Injectable()
export class SubscriptionRefundsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly recorder: PurchaseRecorder,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404 if the subscription no longer exists; 422 for a trial or a payment already refunded */
  async refund(write: ProjectWrite, row: SubscriptionRow, refund: PeriodRefund): Promise<void> {
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(write.projectId);
    await this.writes.run(write, async (tx) => {
      const { customer, subscription } = await this.lock(tx, write.projectId, row);
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

  private async lock(
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
