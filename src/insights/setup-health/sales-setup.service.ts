import { Injectable } from '@nestjs/common';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { UnknownProductsService } from '../metrics/unknown-products.service.js';
import type { SetupHealth } from './setup-health.presenter.js';

@Injectable()
export class SalesSetupService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly unknown: UnknownProductsService,
    private readonly lookups: PurchaseLookupsService,
  ) {}

  async of(
    projectId: string,
  ): Promise<Pick<SetupHealth, 'unconverted' | 'unknownProducts' | 'endlessRentals'>> {
    const [unconverted, unknownProducts, endlessRentals] = await Promise.all([
      this.transactions.unconverted(projectId),
      this.unknown.of(projectId),
      this.lookups.endlessRentals(projectId),
    ]);
    return { unconverted, unknownProducts, endlessRentals };
  }
}
