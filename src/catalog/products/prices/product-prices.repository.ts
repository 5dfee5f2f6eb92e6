import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { ProductPrice } from './product-price.entity.js';

@Injectable()
export class ProductPricesRepository {
  constructor(@InjectRepository(ProductPrice) private readonly prices: Repository<ProductPrice>) {}

  ofProduct(projectId: string, productId: string, tx?: Transaction): Promise<ProductPrice[]> {
    return onTransaction(this.prices, tx).findBy({ projectId, productId });
  }

  async insert(tx: Transaction, prices: ProductPrice[]): Promise<void> {
    if (prices.length > 0) await onTransaction(this.prices, tx).insert(prices);
  }

  async deleteOfProduct(tx: Transaction, projectId: string, productId: string): Promise<void> {
    await onTransaction(this.prices, tx).delete({ projectId, productId });
  }
}
