import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type { ProjectWrite } from '../audit/project-write.js';
import type { Catalog } from '../catalog/catalog.model.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import type { CustomerRow } from '../customers/customer-state.js';
import { CustomersQueryService } from '../customers/customers-query.service.js';
import { ApiError } from '../http/api-error.js';
import { ownedChain, ownedOneTime } from '../purchases/customer-purchases.js';
import { PurchaseRefundsService } from '../purchases/purchase-refunds.service.js';
import { SubscriptionRefundsService } from '../purchases/subscription-refunds.service.js';

export type StoreAction = 'cancel' | 'defer' | 'extend' | 'refund' | 'revoke';

export interface StoreActionRequest {
  appUserId: string;
  action: StoreAction;
  /** What names the purchase: the store's product id, or any of its transaction ids. */
  by: 'product' | 'transaction';
  name: string;
}

interface Named {
  store: string;
  isSubscription: boolean;
  productNames: string[];
  transactionIds: string[];
  /** Has the purchase refunded by the id of one of its transactions. */
  refund(write: ProjectWrite, transactionId: string): Promise<unknown>;
}

/** Who was changed, as they are afterwards. */
export interface StoreActionResult {
  customer: CustomerRow;
  catalog: Catalog;
}

/** Actions that only the store of a purchase can carry out. */
@Injectable()
export class StoreActionsService {
  constructor(
    @Inject(CustomersQueryService) private readonly customers: CustomersQueryService,
    @Inject(SubscriptionRefundsService) private readonly subscriptionRefunds: SubscriptionRefundsService,
    @Inject(PurchaseRefundsService) private readonly purchaseRefunds: PurchaseRefundsService,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Carries out what the store of a purchase can do: of the connected ones the Test Store refunds transactions.
   * @throws ApiError 404 for an unknown customer or purchase; 400 (code 7000) for a store without the action, and for
   *   what is refunded already
   */
  async run(
    write: ProjectWrite,
    { appUserId, action, by, name }: StoreActionRequest,
  ): Promise<StoreActionResult> {
    const { projectId } = write;
    const found = (await this.purchasesOf(projectId, appUserId)).find(
      (purchase) =>
        (purchase.isSubscription || action === 'refund') &&
        (by === 'product' ? purchase.productNames : purchase.transactionIds).includes(name),
    );
    if (!found) throw ApiError.missing(by === 'product' ? 'subscription' : 'transaction', name);
    if (action !== 'refund' || found.store !== 'test_store') {
      const message = `Purchases of ${found.store} do not support the action ${action}.`;
      throw new ApiError('invalid_request', message, { code: 7000 });
    }
    await found.refund(write, name);
    const customer = await this.customers.get(projectId, appUserId);
    return { customer, catalog: await this.catalogs.get(projectId) };
  }

  private async purchasesOf(projectId: string, appUserId: string): Promise<Named[]> {
    const customer = await this.customers.get(projectId, appUserId);
    const nowMs = this.clock.nowMs();
    const chains = customer.chains.map((row) => {
      const { chain, state } = ownedChain(row, nowMs);
      const { storeProductId, planId, storeIdentifiers } = state;
      const productNames =
        planId === null ? [storeProductId] : [storeProductId, `${storeProductId}:${planId}`];
      return {
        store: chain.store,
        isSubscription: true,
        productNames,
        transactionIds: storeIdentifiers,
        refund: (write: ProjectWrite, periodKey: string) =>
          this.subscriptionRefunds.refund(write, row, { periodKey, kind: 'full' }),
      };
    });
    const oneTime = customer.purchases.map((row) => {
      const { purchase, state } = ownedOneTime(row);
      return {
        store: purchase.store,
        isSubscription: false,
        productNames: [state.storeProductId],
        transactionIds: [state.storeTransactionId],
        refund: (write: ProjectWrite) => this.purchaseRefunds.refund(write, purchase.id),
      };
    });
    return [...chains, ...oneTime];
  }
}
