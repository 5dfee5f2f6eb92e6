import { Inject, Injectable } from '@nestjs/common';
import { AppsService } from '../apps/apps.service.js';
import type { ProjectWrite } from '../audit/project-write.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { type PageRequest, unknownCursor } from '../http/lists.js';
import type { OwnedChain } from '../purchases/customer-purchases.js';
import { type FoundPurchase, PurchaseLookupsService } from '../purchases/purchase-lookups.service.js';
import { type PeriodRefund, SubscriptionRefundsService } from '../purchases/subscription-refunds.service.js';
import { managementUrl } from './management-url.js';
import { type StoreAction, storeActionRefusal } from './store-actions.js';
import {
  type SubscriptionTransactionRow,
  SubscriptionTransactionsRepository,
  type TransactionOrder,
} from './subscription-transactions.repository.js';

/** One subscription: its money, its page in the store, and what its store can be asked to do. */
@Injectable()
export class SubscriptionsService {
  constructor(
    @Inject(SubscriptionTransactionsRepository)
    private readonly ledger: SubscriptionTransactionsRepository,
    @Inject(PurchaseLookupsService) private readonly lookups: PurchaseLookupsService,
    @Inject(SubscriptionRefundsService) private readonly refunds: SubscriptionRefundsService,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(Database) private readonly database: Database,
  ) {}

  /**
   * One more than a page of the paid periods and trial starts.
   * @throws ApiError 404; 400 for a cursor of another list
   */
  async transactions(
    projectId: string,
    id: string,
    order: TransactionOrder,
    page: PageRequest,
  ): Promise<{ owned: OwnedChain; rows: SubscriptionTransactionRow[] }> {
    const { owned } = await this.lookups.subscription(projectId, id);
    const { after } = page;
    const cursor = after === null ? null : await this.ledger.find(projectId, id, after);
    if (after !== null && cursor === null) throw unknownCursor(after);
    return { owned, rows: await this.ledger.page(projectId, id, order, page, cursor) };
  }

  /** Where customers manage the subscription. @throws ApiError 404; 422 for stores without such a page */
  async managementUrl(projectId: string, id: string): Promise<string> {
    const { owned } = await this.lookups.subscription(projectId, id);
    const { appId, store } = owned.chain;
    const app = appId === null ? null : await this.apps.findIn(this.database, projectId, appId);
    const url = managementUrl(store, owned.state.storeProductId, app?.storeSettings.package_name);
    if (url === null)
      throw new ApiError('impossible', `Subscriptions of ${store} have no page to manage them.`);
    return url;
  }

  /** @throws ApiError 404; 422 for a store without the action; 503 for one that cannot be reached */
  async act(projectId: string, id: string, action: StoreAction): Promise<never> {
    const { owned } = await this.lookups.subscription(projectId, id);
    throw storeActionRefusal(owned.chain.store, action);
  }

  /**
   * Refunds the latest payment and ends access.
   * @throws ApiError as `act`; 422 also when nothing was paid or all is refunded
   */
  async refund(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedChain>> {
    await this.refundPeriod(write, id, { periodKey: null, kind: 'full' });
    return this.lookups.subscription(write.projectId, id);
  }

  /**
   * Refunds one payment; access stays.
   * @throws ApiError as `refund`; 404 also for a transaction of another subscription
   */
  async refundTransaction(
    write: ProjectWrite,
    id: string,
    transactionId: string,
  ): Promise<{ row: SubscriptionTransactionRow; owned: OwnedChain }> {
    const { projectId } = write;
    const row = await this.ledger.find(projectId, id, transactionId);
    if (!row) {
      await this.lookups.subscription(projectId, id);
      throw ApiError.missing('transaction', transactionId);
    }
    await this.refundPeriod(write, id, { periodKey: row.periodKey, kind: 'partial' });
    const { owned } = await this.lookups.subscription(projectId, id);
    return { row, owned };
  }

  private async refundPeriod(write: ProjectWrite, id: string, refund: PeriodRefund): Promise<void> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    if (owned.chain.store !== 'test_store') throw storeActionRefusal(owned.chain.store, 'refund');
    await this.refunds.refund(write, owned.row, refund);
  }
}
