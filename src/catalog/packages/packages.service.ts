import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
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
 * Packages of offerings and their products. Every change first raises the catalog version, which serialises changes:
 * two concurrent attachments could each be valid but overlap together.
 */
@Injectable()
export class PackagesService {
  constructor(
    private readonly repository: PackagesRepository,
    private readonly products: ProductsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** The offering must exist. @throws ApiError 409 for a lookup key in use */
  async createIn(tx: WriteTransaction, offeringId: string, body: CreatePackageDto): Promise<Package> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    const nowMs = tx.nowMs();
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
    await tx.audit({
      action: 'created',
      target: 'package',
      targetId: row.id,
      data: { offering_id: offeringId },
    });
    return row;
  }

  /** Changes the specified fields; the offering and the lookup key are permanent. @throws ApiError 404 */
  update(write: ProjectWrite, id: string, body: UpdatePackageDto): Promise<Package> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.found(projectId, id, tx);
      const { display_name: displayName = present.displayName, position = present.position } = body;
      const row = { ...present, displayName, position };
      await this.repository.update(tx, row);
      await tx.audit({
        action: 'updated',
        target: 'package',
        targetId: id,
        data: auditChanges(present, row, ['displayName', 'position']),
      });
      return row;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('package', id);
      await tx.audit({ action: 'deleted', target: 'package', targetId: id });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Package> {
    return this.found(projectId, id);
  }

  /** Up to `limit + 1` packages of an offering, in the order in which SDKs show them. */
  page(projectId: string, offeringId: string, page: PageRequest): Promise<Package[]> {
    return this.repository.page(projectId, offeringId, page);
  }

  async ofOfferings(
    projectId: string,
    offeringIds: string[],
    tx?: Transaction,
  ): Promise<Map<string, Package[]>> {
    const byOffering = new Map<string, Package[]>(offeringIds.map((id) => [id, []]));
    for (const row of await this.repository.ofOfferings(projectId, offeringIds, tx)) {
      byOffering.get(row.offeringId)?.push(row);
    }
    return byOffering;
  }

  /** Lookup keys of an offering's packages, in order. */
  async lookupKeys(projectId: string, offeringId: string, tx?: Transaction): Promise<string[]> {
    const rows = await this.repository.ofOfferings(projectId, [offeringId], tx);
    return rows.map(({ lookupKey }) => lookupKey);
  }

  productsOfOffering(tx: Transaction, projectId: string, offeringId: string): Promise<string[]> {
    return this.repository.productsOfOffering(tx, projectId, offeringId);
  }

  /** Up to `limit + 1` products of a package, in the order they were attached. @throws ApiError 404 */
  async productsPage(projectId: string, id: string, page: PageRequest): Promise<PackageProduct[]> {
    await this.get(projectId, id);
    const attached = await this.repository.attachedPage(projectId, id, page);
    const byPackage = await this.withProducts(projectId, attached);
    return byPackage.get(id) ?? [];
  }

  productsOf(projectId: string, packageIds: string[]): Promise<Map<string, PackageProduct[]>> {
    return this.productsIn(projectId, packageIds);
  }

  /** All or nothing. @throws ApiError 404, 409, 422 as for `attachIn` */
  attach(write: ProjectWrite, id: string, inputs: PackageProductInputDto[]): Promise<PackageWithProducts> {
    return this.writes.run(write, async (tx) => {
      await this.attachIn(tx, id, inputs);
      return this.complete(tx, write.projectId, id);
    });
  }

  /**
   * Attached products get the new criteria. @throws ApiError 404 for unknown products, 409 on overlap, 422 if archived
   */
  async attachIn(tx: WriteTransaction, id: string, inputs: PackageProductInputDto[]): Promise<void> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    await this.found(projectId, id, tx);
    const wanted = new Map(inputs.map((input) => [input.product_id, input.eligibility_criteria ?? 'all']));
    await this.products.assertAttachable(tx, projectId, [...wanted.keys()], 'products');
    await this.repository.attach(tx, projectId, id, wanted, new Date(tx.nowMs()));
    assertNoOverlap((await this.productsIn(projectId, [id], tx)).get(id) ?? []);
    await tx.audit({
      action: 'products_attached',
      target: 'package',
      targetId: id,
      data: { product_ids: [...wanted.keys()] },
    });
  }

  /** All or nothing; products that are not attached are ignored. @throws ApiError 404 for an unknown product */
  detach(write: ProjectWrite, id: string, productIds: string[]): Promise<PackageWithProducts> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      await this.found(projectId, id, tx);
      await this.products.assertAll(tx, projectId, productIds, 'product_ids');
      await this.repository.detach(tx, projectId, id, productIds);
      await tx.audit({
        action: 'products_detached',
        target: 'package',
        targetId: id,
        data: { product_ids: productIds },
      });
      return this.complete(tx, projectId, id);
    });
  }

  private async found(projectId: string, id: string, tx?: Transaction): Promise<Package> {
    const row = await this.repository.find(projectId, id, tx);
    if (!row) throw ApiError.missing('package', id);
    return row;
  }

  private async complete(tx: Transaction, projectId: string, id: string): Promise<PackageWithProducts> {
    const products = await this.productsIn(projectId, [id], tx);
    return { row: await this.found(projectId, id, tx), products: products.get(id) ?? [] };
  }

  private async productsIn(
    projectId: string,
    packageIds: string[],
    tx?: Transaction,
  ): Promise<Map<string, PackageProduct[]>> {
    const none = new Map<string, PackageProduct[]>(packageIds.map((id) => [id, []]));
    const attached = await this.repository.attached(projectId, packageIds, tx);
    return new Map([...none, ...(await this.withProducts(projectId, attached, tx))]);
  }

  private async withProducts(
    projectId: string,
    attached: AttachedProduct[],
    tx?: Transaction,
  ): Promise<Map<string, PackageProduct[]>> {
    const ids = attached.map(({ productId }) => productId);
    const products = await this.products.findMany(projectId, ids, tx);
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
