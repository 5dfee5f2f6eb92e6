import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../purchases/transactions/transactions.service.js';
import { UnknownProductsService } from '../metrics/unknown-products.service.js';
import type { SetupHealth } from './setup-health.presenter.js';

@Injectable()
export class SalesSetupService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly unknown: UnknownProductsService,
  ) {}

  async of(projectId: string): Promise<Pick<SetupHealth, 'unconverted' | 'unknownProducts'>> {
    const [unconverted, unknownProducts] = await Promise.all([
      this.transactions.unconverted(projectId),
      this.unknown.of(projectId),
    ]);
    return { unconverted, unknownProducts };
  }
}
