import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedEntitlement } from '../../../../libs/engine/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { startOf } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { customerPurchases } from '../customer-info/customer-purchases.js';
import {
  CustomerListsRepository,
  type FoundCustomer,
  type ListedCustomer,
  type NamedCustomer,
  type SdkVersion,
} from './customer-lists.repository.js';
import { type AliasRow, type CustomerRow, timeOf } from './customer-state.js';
import { CustomersService } from './customers.service.js';

/** Reads customers for REST v2, and never creates any. */
@Injectable()
export class CustomersQueryService {
  constructor(
    private readonly customers: CustomersService,
    private readonly lists: CustomerListsRepository,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `param`: the field that names the customer, if not the path. @throws ApiError 404 */
  async get(projectId: string, appUserId: string, param?: string): Promise<CustomerRow> {
    const customer = await this.customers.find(projectId, appUserId);
    if (!customer) throw ApiError.missing('customer', appUserId, param);
    return customer;
  }

  /** A customer with all current and past entitlements. */
  async withEntitlements(
    projectId: string,
    appUserId: string,
  ): Promise<{ customer: CustomerRow; entitlements: ResolvedEntitlement[] }> {
    const customer = await this.get(projectId, appUserId);
    return { customer, entitlements: await this.entitlementsOf(projectId, customer) };
  }

  async entitlementsOf(projectId: string, customer: CustomerRow): Promise<ResolvedEntitlement[]> {
    const catalog = await this.catalogs.get(projectId);
    return customerPurchases(customer, catalog, timeOf(customer, this.clock.nowMs())).entitlements;
  }

  /** Up to `limit + 1`, newest first; `search` matches exactly. @throws ApiError 400 for an unknown cursor */
  async page(projectId: string, search: string | null, page: PageRequest): Promise<ListedCustomer[]> {
    const after = await startOf(page.after, ['time'], (known) => this.lists.placeOf(projectId, known));
    return this.lists.page(projectId, search, page, after);
  }

  /** Up to `limit + 1`, sorted bytewise. @throws ApiError 404; 400 for a cursor that is no id of the customer */
  async aliases(projectId: string, appUserId: string, page: PageRequest): Promise<AliasRow[]> {
    const { id, aliases } = await this.get(projectId, appUserId);
    const after = await startOf(page.after, [], (known) =>
      Promise.resolve(aliases.some((alias) => alias.appUserId === known) ? [known] : null),
    );
    return this.lists.aliases(projectId, id, page, after);
  }

  /** SDK versions that customers were last seen with, at most `limit`, most used first. */
  sdkVersions(projectId: string, limit: number): Promise<SdkVersion[]> {
    return this.lists.mostUsedSdkVersions(projectId, limit);
  }

  /** The customers with the given ids, in the order of the ids. Unknown ids are omitted. */
  findMany(projectId: string, appUserIds: string[]): Promise<FoundCustomer[]> {
    return this.lists.findMany(projectId, appUserIds);
  }

  /** Ids of customers with an app user id or email that starts so, or with exactly this store id. */
  idsBeginningWith(projectId: string, beginning: string, limit: number): Promise<string[]> {
    return this.lists.idsBeginningWith(projectId, beginning, limit);
  }

  /** Ids of customers with a value of an attribute, at most `limit`. */
  idsWithAttribute(projectId: string, name: string, value: string, limit: number): Promise<string[]> {
    return this.lists.idsWithAttribute(projectId, name, value, limit);
  }

  /** The customers with the given own ids and their names, in any order. */
  named(projectId: string, customerIds: readonly string[]): Promise<NamedCustomer[]> {
    return this.lists.named(projectId, customerIds);
  }

  /** The next customers by their own ids. */
  idsBehind(tx: Transaction, projectId: string, after: string, limit: number): Promise<string[]> {
    return this.lists.idsBehind(tx, projectId, after, limit);
  }
}
