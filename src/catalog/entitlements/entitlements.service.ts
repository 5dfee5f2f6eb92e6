import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CatalogChanges } from '../shared/catalog-changes.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ActiveSubscriptions } from '../shared/active-subscriptions.js';
import { EntitlementGrants } from '../shared/entitlement-grants.js';
import type { Product } from '../products/product.entity.js';
import { ProductsService } from '../products/products.service.js';
import type { Entitlement } from './entitlement.entity.js';
import { EntitlementsRepository } from './entitlements.repository.js';

export interface NewEntitlement {
  lookup_key: string;
  display_name: string;
}

export interface EntitlementWithProducts {
  entitlement: Entitlement;
  products: Product[];
}

/** Every change first raises the catalog version, which serialises it with other changes. */
@Injectable()
export class EntitlementsService {
  constructor(
    private readonly repository: EntitlementsRepository,
    private readonly products: ProductsService,
    private readonly activeSubscriptions: ActiveSubscriptions,
    private readonly grants: EntitlementGrants,
    private readonly changes: CatalogChanges,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 409 for a lookup key in use */
  create(write: ProjectWrite, body: NewEntitlement): Promise<Entitlement> {
    return this.writes.run(write, (tx) => this.createIn(tx, body), { retryUniqueViolation: true });
  }

  async createIn(tx: WriteTransaction, body: NewEntitlement): Promise<Entitlement> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    const nowMs = tx.nowMs();
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
    await tx.audit({
      action: 'created',
      target: 'entitlement',
      targetId: entitlement.id,
    });
    return entitlement;
  }

  /** Changes the display name; the lookup key is permanent. @throws ApiError 404 */
  rename(write: ProjectWrite, id: string, displayName: string): Promise<Entitlement> {
    return this.change(write, id, 'updated', { displayName });
  }

  /** Archives or unarchives; customers keep their access. Idempotent. @throws ApiError 404 */
  async setState(write: ProjectWrite, id: string, state: Entitlement['state']): Promise<Entitlement> {
    if (state === 'active') return this.change(write, id, 'unarchived', { state });
    const activeSubscriptions = await this.activeSubscriptions.ofEntitlement(write.projectId, id);
    return this.change(write, id, 'archived', { state }, { active_subscriptions: activeSubscriptions });
  }

  /** Locks an entitlement against deletion until the transaction ends; returns false if there is none. */
  hold(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    return this.repository.hold(tx, projectId, id);
  }

  /** All customers lose it; due work then ends its grants. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    const activeSubscriptions = await this.activeSubscriptions.ofEntitlement(projectId, id);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const products = (await this.productsIn(projectId, [id], tx)).get(id) ?? [];
      if (!(await this.repository.delete(tx, projectId, id))) throw ApiError.missing('entitlement', id);
      await this.changes.publish(tx, projectId, { kind: 'attachments', products });
      await this.changes.publish(tx, projectId, { kind: 'entitlement_deleted', entitlementId: id });
      await this.grants.makeDue(tx, projectId, id, new Date(tx.nowMs()));
      await tx.audit({
        action: 'deleted',
        target: 'entitlement',
        targetId: id,
        data: { active_subscriptions: activeSubscriptions },
      });
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Entitlement> {
    return this.found(projectId, id);
  }

  /** Up to `limit + 1` rows. */
  page(projectId: string, page: PageRequest): Promise<Entitlement[]> {
    return this.repository.page(projectId, page);
  }

  /** Up to `limit + 1` products that unlock an entitlement, oldest first. @throws ApiError 404 */
  async productsPage(projectId: string, id: string, page: PageRequest): Promise<Product[]> {
    await this.get(projectId, id);
    const attached = await this.repository.attached(projectId, [id]);
    const ids = attached.map(({ productId }) => productId);
    return this.products.page(projectId, { ids }, page);
  }

  /** Returns products by entitlement id, oldest first. */
  productsOf(projectId: string, ids: string[]): Promise<Map<string, Product[]>> {
    return this.productsIn(projectId, ids);
  }

  /** All or nothing; products already attached stay. @throws ApiError 404, 422 as for `attachIn` */
  attach(write: ProjectWrite, id: string, productIds: string[]): Promise<EntitlementWithProducts> {
    return this.writes.run(write, async (tx) => {
      await this.attachIn(tx, id, productIds);
      return this.withProducts(tx, write.projectId, id);
    });
  }

  /** @throws ApiError 404 for an unknown product; 422 if a product or the entitlement is archived */
  async attachIn(tx: WriteTransaction, id: string, productIds: string[]): Promise<void> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    const { state } = await this.found(projectId, id, tx);
    if (state === 'inactive') {
      throw new ApiError('archived_reference', 'Products cannot be attached to an archived entitlement.', {
        referencedObjectIds: [id],
      });
    }
    const products = await this.products.assertAttachable(tx, projectId, productIds, 'product_ids');
    await this.repository.attach(tx, projectId, id, productIds, new Date(tx.nowMs()));
    await this.changes.publish(tx, projectId, { kind: 'attachments', products });
    await tx.audit({
      action: 'products_attached',
      target: 'entitlement',
      targetId: id,
      data: { product_ids: productIds },
    });
  }

  /** All or nothing; products that are not attached are ignored. @throws ApiError 404 for an unknown product */
  async detach(write: ProjectWrite, id: string, productIds: string[]): Promise<EntitlementWithProducts> {
    const { projectId } = write;
    const activeSubscriptions = await this.activeSubscriptions.ofEntitlement(projectId, id, productIds);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      await this.found(projectId, id, tx);
      const products = await this.products.assertAll(tx, projectId, productIds, 'product_ids');
      await this.repository.detach(tx, projectId, id, productIds);
      await this.changes.publish(tx, projectId, { kind: 'attachments', products });
      await tx.audit({
        action: 'products_detached',
        target: 'entitlement',
        targetId: id,
        data: { product_ids: productIds, active_subscriptions: activeSubscriptions },
      });
      return this.withProducts(tx, projectId, id);
    });
  }

  private change(
    write: ProjectWrite,
    id: string,
    action: AuditAction<'entitlement'>,
    changes: Partial<Pick<Entitlement, 'displayName' | 'state'>>,
    data: Record<string, unknown> = {},
  ): Promise<Entitlement> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.found(projectId, id, tx);
      const entitlement = { ...present, ...changes };
      await this.repository.update(tx, entitlement);
      await tx.audit({
        action,
        target: 'entitlement',
        targetId: id,
        data: { ...auditChanges(present, entitlement, ['displayName', 'state']), ...data },
      });
      return entitlement;
    });
  }

  private async productsIn(
    projectId: string,
    ids: string[],
    tx?: Transaction,
  ): Promise<Map<string, Product[]>> {
    const attached = await this.repository.attached(projectId, ids, tx);
    const productIds = attached.map(({ productId }) => productId);
    const products = await this.products.findMany(projectId, productIds, tx);
    const places = new Set(attached.map((row) => `${row.entitlementId}/${row.productId}`));
    return new Map(ids.map((id) => [id, products.filter((product) => places.has(`${id}/${product.id}`))]));
  }

  private async withProducts(
    tx: Transaction,
    projectId: string,
    id: string,
  ): Promise<EntitlementWithProducts> {
    const products = await this.productsIn(projectId, [id], tx);
    return { entitlement: await this.found(projectId, id, tx), products: products.get(id) ?? [] };
  }

  private async found(projectId: string, id: string, tx?: Transaction): Promise<Entitlement> {
    const entitlement = await this.repository.find(projectId, id, tx);
    if (!entitlement) throw ApiError.missing('entitlement', id);
    return entitlement;
  }
}
