import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { changedFields } from '../../platform/audit/changed-fields.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database, type Executor, type Transaction } from '../../platform/database/database.js';
import { orAlreadyExists } from '../../platform/http/unique.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { ProductsService } from '../products/products.service.js';
import { assertNoOverlap } from './package-overlap.js';
import type { AttachedProduct } from './package-product.entity.js';
import type { CreatePackageDto, PackageProductInputDto, UpdatePackageDto } from './package.dto.js';
import type { Package } from './package.entity.js';
import type { PackageProduct } from './package.presenter.js';
import { PackagesRepository } from './packages.repository.js';

export interface PackageWithProducts {
  row: Package;
  products: PackageProduct[];
}

/**
 * Packages of offerings, and the products in them. Every change begins with the catalog version, which makes
 * it wait for the others: two attachments at once could each be fine and together overlap.
 */
@Injectable()
export class PackagesService {
  constructor(
    private readonly repository: PackagesRepository,
    private readonly products: ProductsService,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The offering must exist. @throws ApiError 409 for a lookup key in use */
  async createIn(
    tx: Transaction,
    write: ProjectWrite,
    offeringId: string,
    body: CreatePackageDto,
  ): Promise<Package> {
    const { projectId } = write;
    await bumpCatalogVersion(tx, projectId);
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
    await this.audit.record(tx, write, {
      action: 'created',
      target: 'package',
      targetId: row.id,
      data: { offering_id: offeringId },
    });
    return row;
  }

  /** Changes what is given; the offering and the lookup key are for good. @throws ApiError 404 */
  update(write: ProjectWrite, id: string, body: UpdatePackageDto): Promise<Package> {
    const { projectId } = write;
    return this.database.transaction(async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.getIn(tx, projectId, id);
      const { display_name: displayName = present.displayName, position = present.position } = body;
      const row = { ...present, displayName, position };
      await this.repository.update(tx, row);
      await this.audit.record(tx, write, {
        action: 'updated',
        target: 'package',
        targetId: id,
        data: { changed_fields: changedFields(present, row) },
      });
      return row;
    });
  }

  /** Gives the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    await this.database.transaction(async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('package', id);
      await this.audit.record(tx, write, { action: 'deleted', target: 'package', targetId: id });
    });
    return this.clock.nowMs();
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Package> {
    return this.getIn(this.database, projectId, id);
  }

  /** One more than a page of an offering's packages, in the order the SDKs show them. */
  page(projectId: string, offeringId: string, page: PageRequest): Promise<Package[]> {
    return this.repository.page(this.database, projectId, offeringId, page);
  }

  /** Packages by offering id, for embedding. */
  async ofOfferings(projectId: string, offeringIds: string[]): Promise<Map<string, Package[]>> {
    const byOffering = new Map<string, Package[]>(offeringIds.map((id) => [id, []]));
    for (const row of await this.repository.ofOfferings(this.database, projectId, offeringIds)) {
      byOffering.get(row.offeringId)?.push(row);
    }
    return byOffering;
  }

  /** Ids of all products in the packages of an offering. */
  productsOfOffering(executor: Executor, projectId: string, offeringId: string): Promise<string[]> {
    return this.repository.productsOfOffering(executor, projectId, offeringId);
  }

  /** One more than a page of a package's products, in the order they were attached. @throws ApiError 404 */
  async productsPage(projectId: string, id: string, page: PageRequest): Promise<PackageProduct[]> {
    await this.get(projectId, id);
    const attached = await this.repository.attachedPage(this.database, projectId, id, page);
    const byPackage = await this.withProducts(this.database, projectId, attached);
    return byPackage.get(id) ?? [];
  }

  /** Products by package id, for embedding. */
  productsOf(projectId: string, packageIds: string[]): Promise<Map<string, PackageProduct[]>> {
    return this.productsIn(this.database, projectId, packageIds);
  }

  /** All or nothing. @throws ApiError 404, 409, 422 as `attachIn` does */
  attach(write: ProjectWrite, id: string, inputs: PackageProductInputDto[]): Promise<PackageWithProducts> {
    return this.database.transaction(async (tx) => {
      await this.attachIn(tx, write, id, inputs);
      return this.complete(tx, write.projectId, id);
    });
  }

  /**
   * A product that is attached already gets the new criteria.
   * @throws ApiError 404 for an unknown product, 409 on overlap, 422 for an archived product
   */
  async attachIn(
    tx: Transaction,
    write: ProjectWrite,
    id: string,
    inputs: PackageProductInputDto[],
  ): Promise<void> {
    const { projectId } = write;
    await bumpCatalogVersion(tx, projectId);
    await this.getIn(tx, projectId, id);
    const wanted = new Map(inputs.map((input) => [input.product_id, input.eligibility_criteria ?? 'all']));
    await this.products.assertAttachable(tx, projectId, [...wanted.keys()], 'products');
    await this.repository.attach(tx, projectId, id, wanted, new Date(this.clock.nowMs()));
    assertNoOverlap((await this.productsIn(tx, projectId, [id])).get(id) ?? []);
    await this.audit.record(tx, write, {
      action: 'products_attached',
      target: 'package',
      targetId: id,
      data: { product_ids: [...wanted.keys()] },
    });
  }

  /** All or nothing; what is not attached is no error. @throws ApiError 404 for an unknown product */
  detach(write: ProjectWrite, id: string, productIds: string[]): Promise<PackageWithProducts> {
    const { projectId } = write;
    return this.database.transaction(async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      await this.getIn(tx, projectId, id);
      await this.products.assertAll(tx, projectId, productIds, 'product_ids');
      await this.repository.detach(tx, projectId, id, productIds);
      await this.audit.record(tx, write, {
        action: 'products_detached',
        target: 'package',
        targetId: id,
        data: { product_ids: productIds },
      });
      return this.complete(tx, projectId, id);
    });
  }

  private async getIn(executor: Executor, projectId: string, id: string): Promise<Package> {
    const row = await this.repository.find(executor, projectId, id);
    if (!row) throw ApiError.missing('package', id);
    return row;
  }

  private async complete(executor: Executor, projectId: string, id: string): Promise<PackageWithProducts> {
    const products = await this.productsIn(executor, projectId, [id]);
    return { row: await this.getIn(executor, projectId, id), products: products.get(id) ?? [] };
  }

  private async productsIn(
    executor: Executor,
    projectId: string,
    packageIds: string[],
  ): Promise<Map<string, PackageProduct[]>> {
    const none = new Map<string, PackageProduct[]>(packageIds.map((id) => [id, []]));
    const attached = await this.repository.attached(executor, projectId, packageIds);
    return new Map([...none, ...(await this.withProducts(executor, projectId, attached))]);
  }

  /** The attached products themselves, by package id. */
  private async withProducts(
    executor: Executor,
    projectId: string,
    attached: AttachedProduct[],
  ): Promise<Map<string, PackageProduct[]>> {
    const ids = attached.map(({ productId }) => productId);
    const products = await this.products.findMany(projectId, ids, executor);
    const byId = new Map(products.map((product) => [product.id, product]));
    const byPackage = new Map<string, PackageProduct[]>();
    for (const { packageId, productId, eligibilityCriteria, createdAt: attachedAt } of attached) {
      const product = byId.get(productId);
      if (!product) continue;
      const shown = { product, eligibilityCriteria, attachedAt };
      byPackage.set(packageId, [...(byPackage.get(packageId) ?? []), shown]);
    }
    return byPackage;
  }
}
