import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Product } from './product.entity.js';

@Injectable()
export class ProductsRepository {
  constructor(@InjectRepository(Product) private readonly products: Repository<Product>) {}

  async insert(tx: Transaction, product: Product): Promise<void> {
    await onTransaction(this.products, tx).insert(product);
  }

  async insertMany(tx: Transaction, products: Product[]): Promise<void> {
    if (products.length > 0) await onTransaction(this.products, tx).insert(products);
  }

  async update(tx: Transaction, { projectId, id, ...columns }: Product): Promise<void> {
    await onTransaction(this.products, tx).update({ projectId, id }, columns);
  }

  async activate(tx: Transaction, projectId: string, ids: string[]): Promise<void> {
    await onTransaction(this.products, tx).update({ projectId, id: Any(ids) }, { state: 'active' });
  }

  /** Deletes the product and its attachments. */
  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await onTransaction(this.products, tx).delete({ projectId, id });
  }

  find(projectId: string, id: string, tx?: Transaction): Promise<Product | null> {
    return onTransaction(this.products, tx).findOneBy({ projectId, id });
  }

  /** Oldest first. */
  findMany(projectId: string, ids: string[], tx?: Transaction): Promise<Product[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return onTransaction(this.products, tx).find({ where: { projectId, id: Any(ids) }, order });
  }

  /** All products of an app, oldest first. */
  ofApp(projectId: string, appId: string, tx?: Transaction): Promise<Product[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return onTransaction(this.products, tx).find({ where: { projectId, appId }, order });
  }

  page(
    projectId: string,
    { appId, ids }: { appId?: string; ids?: string[] },
    page: PageRequest,
  ): Promise<Product[]> {
    const where = { projectId, ...(appId !== undefined && { appId }), ...(ids && { id: Any(ids) }) };
    return keysetPage(this.products, where, page);
  }
}
