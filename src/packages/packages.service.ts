import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../libs/kernel/index.js';
import { bumpCatalogVersion } from '../catalog/catalog-version.js';
import type { EligibilityCriteria } from '../catalog/catalog.model.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { orAlreadyExists } from '../database/unique.js';
import { ApiError } from '../http/api-error.js';
import { type PageRequest, unknownCursor } from '../http/lists.js';
import { ProductsService } from '../products/products.service.js';
import type { CreatePackageDto, PackageProductInputDto } from './package.dto.js';
import type { Package } from './package.entity.js';
import type { PackageProduct } from './package.presenter.js';
import { PackagesRepository } from './packages.repository.js';

export interface PackageWithProducts {
  row: Package;
  products: PackageProduct[];
}

/** One product an app, unless one is for old and the other for new Android SDKs. */
function overlap(a: EligibilityCriteria, b: EligibilityCriteria): boolean {
  return a === 'all' || b === 'all' || a === b;
}

/** Packages of offerings, and the products in them. */
@Injectable()
export class PackagesService {
  constructor(
    @Inject(PackagesRepository) private readonly repository: PackagesRepository,
    @Inject(ProductsService) private readonly products: ProductsService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The offering must exist. @throws ApiError 409 for a lookup key in use */
  async createIn(
    tx: Transaction,
    projectId: string,
    offeringId: string,
    body: CreatePackageDto,
  ): Promise<Package> {
    const nowMs = this.clock.nowMs();
    const row: Package = {
      projectId,
      id: newId('package', nowMs),
      offeringId,
      lookupKey: body.lookup_key,
      displayName: body.display_name,
      position: body.position ?? (await this.repository.nextPosition(tx, projectId, offeringId)),
      createdAt: new Date(nowMs),
    };
    await orAlreadyExists(
      this.repository.insert(tx, row),
      'packages_lookup_key_unique',
      'lookup_key',
      `The offering already has a package ${JSON.stringify(body.lookup_key)}.`,
    );
    await bumpCatalogVersion(tx, projectId);
    return row;
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Package> {
    return this.getIn(this.database, projectId, id);
  }

  /** One more than a page of an offering's packages. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, offeringId: string, page: PageRequest): Promise<Package[]> {
    const { after } = page;
    if (
      after !== null &&
      !(await this.repository.isOfOffering(this.database, projectId, offeringId, after))
    ) {
      throw unknownCursor(after);
    }
    return this.repository.page(this.database, projectId, offeringId, page);
  }

  /** Packages by offering id, for embedding. */
  async ofOfferings(projectId: string, offeringIds: string[]): Promise<Map<string, Package[]>> {
    const rows = await this.repository.ofOfferings(this.database, projectId, offeringIds);
    return new Map(offeringIds.map((id) => [id, rows.filter(({ offeringId }) => offeringId === id)]));
  }

  /** Products by package id, for embedding. */
  productsOf(projectId: string, packageIds: string[]): Promise<Map<string, PackageProduct[]>> {
    return this.productsIn(this.database, projectId, packageIds);
  }

  /** All or nothing; a product that is attached already gets the new criteria. */
  attach(projectId: string, id: string, inputs: PackageProductInputDto[]): Promise<PackageWithProducts> {
    return this.database.transaction(async (tx) => {
      const row = await this.getIn(tx, projectId, id);
      await this.attachIn(tx, projectId, id, inputs);
      return { row, products: (await this.productsIn(tx, projectId, [id])).get(id) ?? [] };
    });
  }

  /** @throws ApiError 404 for an unknown product, 409 on overlap, 422 for an archived product */
  async attachIn(
    tx: Transaction,
    projectId: string,
    id: string,
    inputs: PackageProductInputDto[],
  ): Promise<void> {
    await this.repository.lock(tx, projectId, id);
    const ids = inputs.map(({ product_id: productId }) => productId);
    await this.products.getAttachable(tx, projectId, ids, 'products');
    const now = new Date(this.clock.nowMs());
    for (const { product_id: productId, eligibility_criteria: criteria = 'all' } of inputs) {
      const attached = { packageId: id, productId, eligibilityCriteria: criteria };
      await this.repository.attach(tx, projectId, attached, now);
    }
    this.assertNoOverlap((await this.productsIn(tx, projectId, [id])).get(id) ?? []);
    await bumpCatalogVersion(tx, projectId);
  }

  /** All or nothing; what is not attached is no error. */
  detach(projectId: string, id: string, productIds: string[]): Promise<PackageWithProducts> {
    return this.database.transaction(async (tx) => {
      const row = await this.getIn(tx, projectId, id);
      await this.products.getMany(tx, projectId, productIds, 'product_ids');
      await this.repository.detach(tx, projectId, id, productIds);
      await bumpCatalogVersion(tx, projectId);
      return { row, products: (await this.productsIn(tx, projectId, [id])).get(id) ?? [] };
    });
  }

  private async getIn(executor: Executor, projectId: string, id: string): Promise<Package> {
    const row = await this.repository.find(executor, projectId, id);
    if (!row) throw ApiError.missing('package', id);
    return row;
  }

  private async productsIn(
    executor: Executor,
    projectId: string,
    packageIds: string[],
  ): Promise<Map<string, PackageProduct[]>> {
    const attached = await this.repository.attached(executor, projectId, packageIds);
    const productIds = [...new Set(attached.map(({ productId }) => productId))];
    const products = await this.products.getMany(executor, projectId, productIds, 'products');
    const byId = new Map(products.map((product) => [product.id, product]));
    const byPackage = new Map<string, PackageProduct[]>(packageIds.map((id) => [id, []]));
    for (const { packageId, productId, eligibilityCriteria } of attached) {
      const product = byId.get(productId);
      if (product) byPackage.get(packageId)?.push({ product, eligibilityCriteria });
    }
    return byPackage;
  }

  private assertNoOverlap(products: PackageProduct[]): void {
    for (const [index, a] of products.entries()) {
      for (const b of products.slice(index + 1)) {
        if (a.product.appId !== b.product.appId || !overlap(a.eligibilityCriteria, b.eligibilityCriteria))
          continue;
        const ids = `${a.product.id} and ${b.product.id}`;
        throw new ApiError(
          'conflict',
          `A package holds one product of each app; ${ids} are of the same app.`,
          {
            param: 'products',
          },
        );
      }
    }
  }
}
