import { Injectable } from '@nestjs/common';
import type { Store } from '../../../libs/engine/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type PlaceKind, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { OwnedSubscription } from '../../customers/customers/customer-info/customer-purchases.js';
import { type DisplayAmount, displayAmount } from '../lookups/display-amount.policy.js';
import { PurchaseLookupsService } from '../lookups/purchase-lookups.service.js';
import { managementUrl } from './management-url.js';
import {
  placeOfTransaction,
  type SubscriptionTransactionRow,
  SubscriptionTransactionsRepository,
  type TransactionOrder,
} from './subscription-transactions.repository.js';

/**
 * Requests a subscription's page from its store.
 * @throws ApiError 422 if it has none, 503 if the store does not answer
 */
export type ManagementPage = (app: App, storeKey: string) => Promise<string>;

@Injectable()
export class SubscriptionsService {
  private readonly pages = new Map<Store, ManagementPage>();

  constructor(
    private readonly ledger: SubscriptionTransactionsRepository,
    private readonly lookups: PurchaseLookupsService,
    private readonly apps: AppsService,
    private readonly rates: ExchangeRatesService,
  ) {}

  /** Up to `limit + 1` paid periods and trial starts. @throws ApiError 404; 400 for a cursor of another list */
  async transactions(
    projectId: string,
    id: string,
    order: TransactionOrder,
    page: PageRequest,
  ): Promise<{ owned: OwnedSubscription; rows: SubscriptionTransactionRow[] }> {
    const { owned } = await this.lookups.subscription(projectId, id);
    const { id: presentId } = owned.subscription;
    const kinds: PlaceKind[] = order.sort === 'id' ? [] : ['time'];
    const after = await startOf(page.after, kinds, async (transactionId) => {
      const found = await this.ledger.find(projectId, presentId, transactionId);
      return found && placeOfTransaction(order, found);
    });
    return { owned, rows: await this.ledger.page(projectId, presentId, order, page, after) };
  }

  amountIn(currency: DisplayCurrency, payment: SubscriptionTransactionRow): DisplayAmount {
    return displayAmount(currency, [payment], (code, day) => this.rates.rateOf(code, day));
  }

  /** For stores with a separate page for each subscription. */
  addPage(store: Store, page: ManagementPage): void {
    this.pages.set(store, page);
  }

  /** @throws ApiError 404; 422 for stores without such a page; 503 if the store does not answer */
  async managementUrl(projectId: string, id: string): Promise<string> {
    const { owned } = await this.lookups.subscription(projectId, id);
    const { appId, store } = owned.subscription;
    const app = appId === null ? null : await this.apps.find(projectId, appId);
    const page = this.pages.get(store);
    if (app && page) return page(app, owned.subscription.storeKey);
    const url = managementUrl(store, owned.state.storeProductId, app?.storeSettings.package_name);
    if (url === null)
      throw new ApiError('impossible', `The store ${store} has no page to manage subscriptions.`);
    return url;
  }

  /** @throws ApiError 404, also for a transaction of another subscription */
  async transaction(
    projectId: string,
    id: string,
    transactionId: string,
  ): Promise<{ owned: OwnedSubscription; row: SubscriptionTransactionRow }> {
    const { owned } = await this.lookups.subscription(projectId, id);
    const row = await this.ledger.find(projectId, owned.subscription.id, transactionId);
    if (!row) throw ApiError.missing('transaction', transactionId);
    return { owned, row };
  }
}
