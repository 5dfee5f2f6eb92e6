import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/customers-query.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ReceiptFollowUp } from '../receipts/receipt-follow-up.js';
import { OrderLookups } from './order-lookups.js';
import { OrderRestoresService, type RestoreRequest } from './order-restores.service.js';

/** Restores purchases that customers name by an order. */
@Injectable()
export class RestoresService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly orders: OrderLookups,
    private readonly restores: OrderRestoresService,
    private readonly followUp: ReceiptFollowUp,
  ) {}

  /**
   * Makes a purchase the customer's as if they had restored it, where the transfer behavior lets them; one that was
   * never posted is looked up at its store. Returns the customer as they are afterwards.
   * @throws ApiError 404 for an unknown customer or order; 409 when the purchase stays with another customer; 422 when
   *   the store of the order can only be asked with credentials that are missing; 503 when it cannot be asked
   */
  async restore(write: ProjectWrite, request: RestoreRequest): Promise<CustomerRow> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    await this.customers.get(projectId, request.appUserId);
    const order = await this.orders.find(projectId, request.orderId);
    const customer = await this.restores.restore(write, catalog, request, order);
    const { appId, verified } = order;
    if (appId !== null && verified) await this.followUp.run(projectId, appId, verified);
    return customer;
  }
}
