import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../libs/kernel/index.js';
import { bumpCatalogVersion } from '../catalog/catalog-version.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { orAlreadyExists } from '../database/unique.js';
import { ApiError } from '../http/api-error.js';
import type { PageRequest } from '../http/lists.js';
import type { Product } from '../products/product.entity.js';
import { ProductsService } from '../products/products.service.js';
import type { Entitlement } from './entitlement.entity.js';
import { EntitlementsRepository } from './entitlements.repository.js';

export interface EntitlementWithProducts {
  entitlement: Entitlement;
  products: Product[];
}

/** What products unlock. */
@Injectable()
export class EntitlementsService {
  constructor(
    @Inject(EntitlementsRepository) private readonly repository: EntitlementsRepository,
    @Inject(ProductsService) private readonly products: ProductsService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 409 for a lookup key in use */
  create(projectId: string, body: { lookup_key: string; display_name: string }): Promise<Entitlement> {
    return this.database.transaction((tx) => this.createIn(tx, projectId, body));
  }

  /** As `create`, in a transaction that does more. */
  async createIn(
    tx: Transaction,
    projectId: string,
    body: { lookup_key: string; display_name: string },
  ): Promise<Entitlement> {
    const nowMs = this.clock.nowMs();
    const entitlement: Entitlement = {
      projectId,
      id: newId('entitlement', nowMs),
      lookupKey: body.lookup_key,
      displayName: body.display_name,
      state: 'active',
      createdAt: new Date(nowMs),
    };
    await orAlreadyExists(
      this.repository.insert(tx, entitlement),
      'entitlements_lookup_key_unique',
      'lookup_key',
      `The project already has an entitlement ${JSON.stringify(body.lookup_key)}.`,
    );
    await bumpCatalogVersion(tx, projectId);
    return entitlement;
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Entitlement> {
    return this.getIn(this.database, projectId, id);
  }

  page(projectId: string, page: PageRequest): Promise<Entitlement[]> {
    return this.repository.page(this.database, projectId, page);
  }

  /** All or nothing; what is attached already stays. */
  attach(projectId: string, id: string, productIds: string[]): Promise<EntitlementWithProducts> {
    return this.database.transaction(async (tx) => {
      await this.attachIn(tx, projectId, id, productIds);
      return this.withProducts(tx, projectId, await this.getIn(tx, projectId, id));
    });
  }

  /** @throws ApiError 404 for an unknown product, 422 for an archived one */
  async attachIn(tx: Transaction, projectId: string, id: string, productIds: string[]): Promise<void> {
    await this.getIn(tx, projectId, id);
    await this.products.getAttachable(tx, projectId, productIds, 'product_ids');
    await this.repository.attach(tx, projectId, id, productIds, new Date(this.clock.nowMs()));
    await bumpCatalogVersion(tx, projectId);
  }

  /** All or nothing; what is not attached is no error. */
  detach(projectId: string, id: string, productIds: string[]): Promise<EntitlementWithProducts> {
    return this.database.transaction(async (tx) => {
      const entitlement = await this.getIn(tx, projectId, id);
      await this.products.getMany(tx, projectId, productIds, 'product_ids');
      await this.repository.detach(tx, projectId, id, productIds);
      await bumpCatalogVersion(tx, projectId);
      return this.withProducts(tx, projectId, entitlement);
    });
  }

  /** Products by entitlement id, for embedding. */
  async productsOf(projectId: string, ids: string[]): Promise<Map<string, Product[]>> {
    const attached = await this.repository.attached(this.database, projectId, ids);
    const productIds = [...new Set([...attached.values()].flat())];
    const products = await this.products.getMany(this.database, projectId, productIds, 'product_ids');
    const byId = new Map(products.map((product) => [product.id, product]));
    return new Map(
      [...attached].map(([id, list]) => [
        id,
        list.map((productId) => byId.get(productId)).filter((row) => row !== undefined),
      ]),
    );
  }

  private async withProducts(
    executor: Executor,
    projectId: string,
    entitlement: Entitlement,
  ): Promise<EntitlementWithProducts> {
    const attached = await this.repository.attached(executor, projectId, [entitlement.id]);
    const ids = attached.get(entitlement.id) ?? [];
    return { entitlement, products: await this.products.getMany(executor, projectId, ids, 'product_ids') };
  }

  private async getIn(executor: Executor, projectId: string, id: string): Promise<Entitlement> {
    const entitlement = await this.repository.find(executor, projectId, id);
    if (!entitlement) throw ApiError.missing('entitlement', id);
    return entitlement;
  }
}
