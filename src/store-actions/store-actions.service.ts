import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { CustomersQueryService } from '../customers/customers-query.service.js';
import { ApiError } from '../http/api-error.js';
import { ownedChain, ownedOneTime } from '../purchases/customer-purchases.js';

export type StoreAction = 'cancel' | 'defer' | 'extend' | 'refund' | 'revoke';

export interface StoreActionRequest {
  projectId: string;
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
}

/** Actions that only the store of a purchase can carry out. */
@Injectable()
export class StoreActionsService {
  constructor(
    @Inject(CustomersQueryService) private readonly customers: CustomersQueryService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Finds the purchase and refuses: none of the connected stores takes orders.
   * @throws ApiError 404 for an unknown customer or purchase, 400 (code 7000) for a store without the action
   */
  async run({ projectId, appUserId, action, by, name }: StoreActionRequest): Promise<never> {
    const found = (await this.purchasesOf(projectId, appUserId)).find(
      (purchase) =>
        (purchase.isSubscription || action === 'refund') &&
        (by === 'product' ? purchase.productNames : purchase.transactionIds).includes(name),
    );
    if (!found) throw ApiError.missing(by === 'product' ? 'subscription' : 'transaction', name);
    const message = `Purchases of ${found.store} do not support the action ${action}.`;
    throw new ApiError('invalid_request', message, { code: 7000 });
  }

  private async purchasesOf(projectId: string, appUserId: string): Promise<Named[]> {
    const customer = await this.customers.get(projectId, appUserId);
    const nowMs = this.clock.nowMs();
    const chains = customer.chains.map((row) => {
      const { chain, state } = ownedChain(row, nowMs);
      const { storeProductId, planId, storeIdentifiers } = state;
      const productNames =
        planId === null ? [storeProductId] : [storeProductId, `${storeProductId}:${planId}`];
      return { store: chain.store, isSubscription: true, productNames, transactionIds: storeIdentifiers };
    });
    const oneTime = customer.purchases.map((row) => {
      const { purchase, state } = ownedOneTime(row);
      return {
        store: purchase.store,
        isSubscription: false,
        productNames: [state.storeProductId],
        transactionIds: [state.storeTransactionId],
      };
    });
    return [...chains, ...oneTime];
  }
}
