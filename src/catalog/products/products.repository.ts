import { Injectable } from '@nestjs/common';
import { Any } from 'typeorm';
import type { Executor } from '../../platform/database/database.js';
import { findByKey } from '../../platform/database/find-by-key.js';
import { keysetPage } from '../../platform/http/keyset.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { Product } from './product.entity.js';

@Injectable()
export class ProductsRepository {
  async insert(executor: Executor, product: Product): Promise<void> {
    await executor.manager.getRepository(Product).insert(product);
  }

  async update(executor: Executor, { projectId, id, ...columns }: Product): Promise<void> {
    await executor.manager.getRepository(Product).update({ projectId, id }, columns);
  }

  async activate(executor: Executor, projectId: string, ids: string[]): Promise<void> {
    await executor.manager.getRepository(Product).update({ projectId, id: Any(ids) }, { state: 'active' });
  }

  /** Deletes the product wherever it is attached; false when there is no such product. */
  async delete(executor: Executor, projectId: string, id: string): Promise<boolean> {
    const { affected } = await executor.manager.getRepository(Product).delete({ projectId, id });
    return affected === 1;
  }

  find(executor: Executor, projectId: string, id: string): Promise<Product | null> {
    return findByKey(executor, Product, { projectId, id });
  }

  /** Oldest first. */
  findMany(executor: Executor, projectId: string, ids: string[]): Promise<Product[]> {
    return executor.manager
      .getRepository(Product)
      .find({ where: { projectId, id: Any(ids) }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** One more than a page; `narrowTo` may leave only the products of an app, or of some ids. */
  page(
    executor: Executor,
    projectId: string,
    { appId, ids }: { appId?: string; ids?: string[] },
    page: PageRequest,
  ): Promise<Product[]> {
    const where = { projectId, ...(appId !== undefined && { appId }), ...(ids && { id: Any(ids) }) };
    return keysetPage(executor, Product, where, page);
  }
}
