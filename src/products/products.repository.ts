import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Executor } from '../database/database.js';
import { keysetPage } from '../database/keyset.js';
import type { PageRequest } from '../http/lists.js';
import { Product } from './product.entity.js';

@Injectable()
export class ProductsRepository {
  async insert(executor: Executor, product: Product): Promise<void> {
    await executor.manager.getRepository(Product).insert(product);
  }

  find(executor: Executor, projectId: string, id: string): Promise<Product | null> {
    return executor.manager.getRepository(Product).findOneBy({ projectId, id });
  }

  findMany(executor: Executor, projectId: string, ids: string[]): Promise<Product[]> {
    return executor.manager.getRepository(Product).findBy({ projectId, id: In(ids) });
  }

  /** One more than a page; `appId` narrows it to one app. */
  page(executor: Executor, projectId: string, appId: string | null, page: PageRequest): Promise<Product[]> {
    return keysetPage(executor, Product, appId === null ? { projectId } : { projectId, appId }, page);
  }
}
