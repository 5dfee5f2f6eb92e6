import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { timeOf } from '../../customers/customers/identity/customer-state.js';
import { CustomerNotesService } from '../../customers/notes/customer-notes.service.js';
import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { customerPurchases } from '../../customers/customers/customer-info/customer-purchases.js';
import { displayAmount } from '../../purchases/lookups/display-amount.policy.js';
import type { PaymentSum } from '../../purchases/transactions/transactions.repository.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import type { CustomerSummary } from './customer-summary.presenter.js';

@Injectable()
export class CustomerSummariesService {
  constructor(
    private readonly customers: CustomersQueryService,
    private readonly transactions: TransactionsService,
    private readonly notes: CustomerNotesService,
    private readonly rates: ExchangeRatesService,
    private readonly catalogs: CatalogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns summaries in the order of the ids, with amounts in `currency`; omits unknown ids. */
  async summarize(
    projectId: string,
    appUserIds: string[],
    currency: DisplayCurrency,
  ): Promise<CustomerSummary[]> {
    const [customers, catalog] = await Promise.all([
      this.customers.findMany(projectId, appUserIds),
      this.catalogs.get(projectId),
    ]);
    const ids = [...new Set(customers.map(({ id }) => id))];
    const withoutCountry = customers.filter(({ lastSeenCountry }) => lastSeenCountry === null);
    const [revenues, sums, countries, notes] = await Promise.all([
      this.transactions.revenueOf(projectId, ids),
      this.transactions.sumsOf(projectId, ids),
      this.transactions.countriesOf(
        projectId,
        withoutCountry.map(({ id }) => id),
      ),
      this.notes.count(projectId, ids),
    ]);
    const nowMs = this.clock.nowMs();
    const sumsById = new Map<string, PaymentSum[]>(ids.map((id) => [id, []]));
    for (const sum of sums) sumsById.get(sum.customerId)?.push(sum);
    return customers.map((customer) => {
      const own = sumsById.get(customer.id) ?? [];
      return {
        customer,
        purchases: customerPurchases(customer, catalog, timeOf(customer, nowMs)),
        revenue: revenues.get(customer.id),
        catalog,
        countryOfPurchase: countries.get(customer.id) ?? null,
        notes: notes.get(customer.id) ?? 0,
        spent: (isCounted) =>
          displayAmount(currency, own.filter(isCounted), (code, day) => this.rates.rateOf(code, day)),
      };
    });
  }
}
