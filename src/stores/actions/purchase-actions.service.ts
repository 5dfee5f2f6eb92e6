import { Injectable } from '@nestjs/common';
import type { OwnedOneTime } from '../../customers/customers/customer-info/customer-purchases.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  type FoundPurchase,
  PurchaseLookupsService,
} from '../../purchases/lookups/purchase-lookups.service.js';
import { StoreOrdersService } from './store-orders.service.js';

@Injectable()
export class PurchaseActionsService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly orders: StoreOrdersService,
  ) {}

  /**
   * @throws ApiError 404; 422 if the store has no refunds or it is already refunded; 503 if the store cannot be reached
   */
  async refund(write: ProjectWrite, id: string): Promise<FoundPurchase<OwnedOneTime>> {
    const { owned } = await this.lookups.oneTime(write.projectId, id);
    if (owned.state.status === 'refunded')
      throw new ApiError('impossible', 'The purchase is already refunded.');
    await this.orders.refundOneTime(write, owned.row);
    return this.lookups.oneTime(write.projectId, id);
  }
}
