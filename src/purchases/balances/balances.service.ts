import { Injectable } from '@nestjs/common';
import type { CatalogCurrency } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { CurrencyAdjustmentsService } from '../currencies/currency-adjustments.service.js';

export interface Balance {
  currency: CatalogCurrency;
  balance: number;
}

/** Balances in all active currencies and in those that the customer holds. */
export function balancesIn(
  currencies: readonly CatalogCurrency[],
  held: ReadonlyMap<string, number>,
): Balance[] {
  return currencies
    .map((currency) => ({ currency, balance: held.get(currency.code) ?? 0 }))
    .filter(({ currency, balance }) => currency.active || balance > 0);
}

@Injectable()
export class BalancesService {
  constructor(
    private readonly adjustments: CurrencyAdjustmentsService,
    private readonly customers: CustomersQueryService,
    private readonly catalogs: CatalogService,
  ) {}

  /** The app user id may be unknown. */
  async all(projectId: string, appUserId: string): Promise<Balance[]> {
    const { currencies } = await this.catalogs.get(projectId);
    if (currencies.length === 0) return [];
    return balancesIn(currencies, await this.adjustments.balances(projectId, appUserId));
  }

  /** @throws ApiError 404 for an unknown customer */
  async ofCustomer(projectId: string, appUserId: string): Promise<Balance[]> {
    await this.customers.get(projectId, appUserId);
    const all = await this.all(projectId, appUserId);
    return all.sort((a, b) => (a.currency.code < b.currency.code ? -1 : 1));
  }
}
