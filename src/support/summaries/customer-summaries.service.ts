import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { customerPurchases } from '../../customers/customers/customer-info/customer-purchases.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import type { CustomerSummary } from './customer-summary.presenter.js';

@Injectable()
export class CustomerSummariesService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly transactions: TransactionsService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns summaries in the order of the ids; omits unknown ones. */
  async summarize(projectId: string, appUserIds: string[]): Promise<CustomerSummary[]> {
    const [customers, catalog] = await Promise.all([
      this.customers.findMany(projectId, appUserIds),
      this.catalogs.get(projectId),
    ]);
    const ids = [...new Set(customers.map(({ id }) => id))];
    const revenues = await this.transactions.revenueOf(projectId, ids);
    const nowMs = this.clock.nowMs();
    return customers.map((customer) => ({
      customer,
      purchases: customerPurchases(customer, catalog, timeOf(customer, nowMs)),
      revenue: revenues.get(customer.id),
      catalog,
    }));
  }
}
