import { Injectable } from '@nestjs/common';
import type { SubscriptionFacts } from '../../../libs/engine/index.js';
import type { OwnedSubscription } from '../../customers/customers/customer-info/customer-purchases.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import {
  type FoundPurchase,
  PurchaseLookupsService,
} from '../../purchases/lookups/purchase-lookups.service.js';
import type { SubscriptionTransactionRow } from '../../purchases/subscriptions/subscription-transactions.repository.js';
import { SubscriptionsService } from '../../purchases/subscriptions/subscriptions.service.js';
import { StoreOrdersService } from './store-orders.service.js';
import { type ExtensionOptions, SubscriptionExtensionsService } from './subscription-extensions.service.js';

@Injectable()
export class SubscriptionActionsService {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly lookups: PurchaseLookupsService,
    private readonly orders: StoreOrdersService,
    private readonly extensions: SubscriptionExtensionsService,
  ) {}

  /** Turns renewal off. @throws ApiError 404, and see `StoreOrdersService` */
  async cancel(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedSubscription>> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    await this.orders.cancel(write, owned.row);
    return this.lookups.subscription(write.projectId, id);
  }

  /** Refunds the latest payment and ends access. @throws ApiError 404, and see `StoreOrdersService` */
  async refund(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedSubscription>> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    await this.orders.refundLatest(write, owned.row);
    return this.lookups.subscription(write.projectId, id);
  }

  /** Moves the renewal date. @throws ApiError 404, and see `SubscriptionExtensions` */
  async extend(
    write: ProjectWrite,
    id: string,
    options: ExtensionOptions,
  ): Promise<FoundPurchase<OwnedSubscription>> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    await this.extensions.extend(write, owned.row, options);
    return this.lookups.subscription(write.projectId, id);
  }

  /**
   * Does not end access. @throws ApiError 404, also for another subscription's transaction; and see
   * `StoreOrdersService`
   */
  async refundTransaction(
    write: ProjectWrite,
    id: string,
    transactionId: string,
  ): Promise<{ row: SubscriptionTransactionRow; facts: SubscriptionFacts }> {
    const { projectId } = write;
    const { owned, row } = await this.subscriptions.transaction(projectId, id, transactionId);
    await this.orders.refund(write, owned.row, transactionId, false);
    const after = await this.lookups.subscription(projectId, id);
    return { row, facts: after.owned.subscription.facts };
  }
}
