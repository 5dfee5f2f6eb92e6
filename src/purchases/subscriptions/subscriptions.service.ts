import { Inject, Injectable } from '@nestjs/common';
import type { ChainFacts } from '../../../libs/engine/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type PlaceKind, startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import type { OwnedChain } from '../../customers/customers/customer-purchases.js';
import { type FoundPurchase, PurchaseLookupsService } from '../recording/purchase-lookups.service.js';
import { StoreOrders } from '../../stores/shared/store-orders.js';
import {
  type ExtensionWish,
  SubscriptionExtensionsService,
} from '../../stores/shared/subscription-extensions.service.js';
import { managementUrl } from './management-url.js';
import {
  placeOfTransaction,
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
    @Inject(StoreOrders) private readonly orders: StoreOrders,
    @Inject(SubscriptionExtensionsService) private readonly extensions: SubscriptionExtensionsService,
    @Inject(AuditLog) private readonly audit: AuditLog,
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
    const kinds: PlaceKind[] = order.sort === 'id' ? [] : ['time'];
    const after = await startOf(page.after, kinds, async (transactionId) => {
      const found = await this.ledger.find(projectId, id, transactionId);
      return found && placeOfTransaction(order, found);
    });
    return { owned, rows: await this.ledger.page(projectId, id, order, page, after) };
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

  /** Turns renewal off. @throws ApiError 404, and as the orders of stores */
  async cancel(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedChain>> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    await this.orders.cancel(write, owned.row);
    return this.lookups.subscription(write.projectId, id);
  }

  /** Gives the latest payment back, and ends access. @throws ApiError 404, and as the orders of stores */
  async refund(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedChain>> {
    const { owned } = await this.lookups.subscription(write.projectId, id);
    await this.orders.refundLatest(write, owned.row);
    return this.lookups.subscription(write.projectId, id);
  }

  /** Moves the renewal date. @throws ApiError 404, and as the extensions of stores */
  async extend(write: ProjectWrite, id: string, wish: ExtensionWish): Promise<FoundPurchase<OwnedChain>> {
    const { projectId } = write;
    const { owned } = await this.lookups.subscription(projectId, id);
    await this.extensions.extend(projectId, owned.row, wish, (tx) =>
      this.audit.record(tx, write, { action: 'extended', target: 'subscription', targetId: id }),
    );
    return this.lookups.subscription(projectId, id);
  }

  /**
   * Gives one payment back; access stays.
   * @throws ApiError 404, also for a transaction of another subscription; and as the orders of stores
   */
  async refundTransaction(
    write: ProjectWrite,
    id: string,
    transactionId: string,
  ): Promise<{ row: SubscriptionTransactionRow; facts: ChainFacts }> {
    const { projectId } = write;
    const { owned } = await this.lookups.subscription(projectId, id);
    const row = await this.ledger.find(projectId, id, transactionId);
    if (!row) throw ApiError.missing('transaction', transactionId);
    await this.orders.refund(write, owned.row, transactionId, false);
    const after = await this.lookups.subscription(projectId, id);
    return { row, facts: after.owned.chain.facts };
  }
}
