import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedEntitlement } from '../../libs/engine/index.js';
import type { Clock } from '../../libs/kernel/index.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { customerPurchases } from '../purchases/customer-purchases.js';
import type { CustomerRow } from './customer-state.js';
import { CustomersService } from './customers.service.js';

/** REST v2 reads of customers. They never create one. */
@Injectable()
export class CustomersQueryService {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The customer who goes by an id.
   * @throws ApiError 404
   */
  async get(projectId: string, appUserId: string): Promise<CustomerRow> {
    const customer = await this.customers.find(this.database, projectId, appUserId);
    if (!customer) throw ApiError.missing('customer', appUserId);
    return customer;
  }

  /** A customer with all entitlements, held now or in the past, as of now. */
  async withEntitlements(
    projectId: string,
    appUserId: string,
  ): Promise<{ customer: CustomerRow; entitlements: ResolvedEntitlement[] }> {
    const customer = await this.get(projectId, appUserId);
    return { customer, entitlements: await this.entitlementsOf(projectId, customer) };
  }

  /** All entitlements of a customer that was read before, as of now. */
  async entitlementsOf(projectId: string, customer: CustomerRow): Promise<ResolvedEntitlement[]> {
    const catalog = await this.catalogs.get(projectId);
    return customerPurchases(customer, catalog, this.clock.nowMs()).entitlements;
  }
}
