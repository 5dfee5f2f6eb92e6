import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ReceiptFollowUpService } from '../receipts/receipt-follow-up.service.js';
import { OrderLookupsService } from './order-lookups.service.js';
import { OrderRestoresService, type RestoreRequest } from './order-restores.service.js';

@Injectable()
export class RestoresService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly catalogs: CatalogService,
    private readonly orders: OrderLookupsService,
    private readonly restores: OrderRestoresService,
    private readonly followUp: ReceiptFollowUpService,
  ) {}

  /**
   * Transfers a purchase to the customer as if they had restored it, if the transfer behavior allows it. A purchase
   * that was never posted is looked up at its store. Returns the updated customer.
   * @throws ApiError 404 for an unknown customer or order; 409 if the purchase stays with another customer; 422 if the
   * store's credentials are missing; 503 if the store cannot be reached
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
