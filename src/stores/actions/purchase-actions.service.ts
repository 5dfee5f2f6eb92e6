import { Injectable } from '@nestjs/common';
import type { OwnedOneTime } from '../../customers/customers/customer-purchases.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ApiError } from '../../platform/http/api-error.js';
import {
  type FoundPurchase,
  PurchaseLookupsService,
} from '../../purchases/recording/purchase-lookups.service.js';
import { StoreOrders } from '../shared/store-orders.js';

/** What a backend asks the store of one one-time purchase to do. */
@Injectable()
export class PurchaseActionsService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly orders: StoreOrders,
  ) {}

  /**
   * Refunds a purchase; what it unlocked ends at once.
   * @throws ApiError 404; 422 for a store without refunds, and for what is refunded already; 503 for a store that
   *   cannot be reached
   */
  async refund(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedOneTime>> {
    const { owned } = await this.lookups.oneTime(write.projectId, id);
    if (owned.state.status === 'refunded')
      throw new ApiError('impossible', 'The purchase is refunded already.');
    await this.orders.refundOneTime(write, owned.row);
    return this.lookups.oneTime(write.projectId, id);
  }
}
