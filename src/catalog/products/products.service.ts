import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { auditChanges, type PlainField } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CatalogChanges } from '../shared/catalog-changes.service.js';
import { bumpCatalogVersion } from '../shared/catalog-version.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { orAlreadyExists } from '../../platform/http/errors/unique.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { ActiveSubscriptions } from '../shared/active-subscriptions.js';
import { RecordedRentals } from '../shared/recorded-rentals.js';
import { displayNameOf, durationsAfter, noDurations, noPrice, priceAfter } from './product-rules.js';
import type { CreateProductDto, UpdateProductDto } from './product.dto.js';
import type { Product } from './product.entity.js';
import { ProductPricesService } from './prices/product-prices.service.js';
import { ProductsRepository } from './products.repository.js';

/** Fields whose values are audited. */
const recordedFields: PlainField<Product>[] = [
  'displayName',
  'type',
  'state',
  'duration',
  'trialDuration',
  'gracePeriodDuration',
  'testStorePriceMicros',
  'testStorePriceCurrency',
];

/** Ids of one second are random enough for one product, but not for hundreds. */
function newIds(count: number, nowMs: number): Set<string> {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(newId('product', nowMs));
  return ids;
}

/** @throws ApiError 400 naming the field */
function newProduct(app: App, body: CreateProductDto, nowMs: number, id = newId('product', nowMs)): Product {
  return {
    projectId: app.projectId,
    id,
    appId: app.id,
    storeIdentifier: body.store_identifier,
    type: body.type,
    state: 'active',
    displayName: displayNameOf(body) ?? null,
    ...durationsAfter(noDurations, body.type, app.type, body.subscription),
    ...priceAfter(noPrice, app.type, body.test_store_price),
    createdAt: new Date(nowMs),
  };
}

/** Every change first raises the catalog version, which locks the project's row: no other locks are needed. */
@Injectable()
export class ProductsService implements OnModuleInit {
  constructor(
    private readonly repository: ProductsRepository,
    private readonly prices: ProductPricesService,
    private readonly apps: AppsService,
    private readonly activeSubscriptions: ActiveSubscriptions,
    private readonly rentals: RecordedRentals,
    private readonly changes: CatalogChanges,
    private readonly writes: ProjectWritesService,
  ) {}

  onModuleInit(): void {
    this.changes.register(async (tx, projectId, change) => {
      if (change.kind !== 'app_deleted') return;
      const products = await this.repository.ofApp(projectId, change.appId, tx);
      await this.changes.publish(tx, projectId, {
        kind: 'products',
        products: products.map((before) => ({ before, after: null })),
      });
    });
  }

  /** @throws ApiError 400 naming the field, 404 for an unknown app, 409 for a store identifier in use */
  create(write: ProjectWrite, body: CreateProductDto): Promise<Product> {
    return this.writes.run(write, (tx) => this.createIn(tx, body), { retryUniqueViolation: true });
  }

  async createIn(tx: WriteTransaction, body: CreateProductDto): Promise<Product> {
    const { projectId } = tx.write;
    await bumpCatalogVersion(tx, projectId);
    const app = await this.apps.find(projectId, body.app_id, tx);
    if (!app) throw ApiError.missing('app', body.app_id, 'app_id');
    const product = newProduct(app, body, tx.nowMs());
    await orAlreadyExists(
      this.repository.insert(tx, product),
      'products_store_identifier_unique',
      'store_identifier',
      `The app already has a product ${JSON.stringify(body.store_identifier)}.`,
    );
    await this.prices.insertDefaults(tx, [product]);
    await this.changes.publish(tx, projectId, {
      kind: 'products',
      products: [{ before: null, after: product }],
    });
    await tx.audit({ action: 'created', target: 'product', targetId: product.id });
    return product;
  }

  /**
   * Creates those products that the app does not have, all or none. Existing ones stay unchanged.
   * @throws ApiError 400 naming the field
   */
  importMissing(
    write: ProjectWrite,
    app: App,
    bodies: CreateProductDto[],
  ): Promise<{ created: Product[]; existing: Product[] }> {
    const { projectId } = write;
    const run = async (tx: WriteTransaction) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.repository.ofApp(projectId, app.id, tx);
      const byIdentifier = new Map(present.map((product) => [product.storeIdentifier, product]));
      const nowMs = tx.nowMs();
      const missing = bodies.filter((body) => !byIdentifier.has(body.store_identifier));
      const ids = [...newIds(missing.length, nowMs)].sort();
      const created = missing.map((body, index) => newProduct(app, body, nowMs, ids[index]));
      await this.repository.insertMany(tx, created);
      await this.prices.insertDefaults(tx, created);
      await this.changes.publish(tx, projectId, {
        kind: 'products',
        products: created.map((after) => ({ before: null, after })),
      });
      const existing = bodies.flatMap((body) => byIdentifier.get(body.store_identifier) ?? []);
      await tx.audit({
        action: 'products_imported',
        target: 'app',
        targetId: app.id,
        data: { created: created.map(({ id }) => id), existing: existing.length },
      });
      return { created, existing };
    };
    return this.writes.run(write, run, { retryUniqueViolation: true });
  }

  /** The app and the store identifier are permanent. @throws ApiError 404, 400 naming the field */
  update(write: ProjectWrite, id: string, body: UpdateProductDto): Promise<Product> {
    return this.change(write, id, 'updated', async (tx, present) => {
      const app = await this.apps.find(write.projectId, present.appId, tx);
      if (!app) throw ApiError.missing('product', id);
      const { type = present.type } = body;
      const displayName = displayNameOf(body);
      const isOneTimeNow = present.type === 'subscription' && type !== 'subscription';
      const before = isOneTimeNow ? noDurations : present;
      const durations = durationsAfter(before, type, app.type, body.subscription);
      const isRentable = app.type === 'play_store' && type !== 'subscription';
      if (isRentable && before.duration === null && durations.duration !== null) {
        await this.rentals.readAgain(tx, write.projectId, app.id, present.storeIdentifier);
      }
      const product = {
        ...present,
        type,
        displayName: displayName === undefined ? present.displayName : displayName,
        ...durations,
        ...priceAfter(present, app.type, body.test_store_price),
      };
      if (body.test_store_price !== undefined) await this.prices.replaceDefault(tx, present, product);
      return product;
    });
  }

  /** Archives or unarchives. Idempotent. @throws ApiError 404 */
  setState(write: ProjectWrite, id: string, state: Product['state']): Promise<Product> {
    const action = state === 'active' ? 'unarchived' : 'archived';
    return this.change(write, id, action, (_, present) => ({ ...present, state }));
  }

  activateIn(tx: Transaction, projectId: string, ids: string[]): Promise<void> {
    return this.repository.activate(tx, projectId, ids);
  }

  /** Purchases of it remain but no longer unlock anything. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    const activeSubscriptions = await this.countActiveSubscriptions(projectId, [id]);
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.found(projectId, id, tx);
      await this.repository.delete(tx, projectId, id);
      await this.changes.publish(tx, projectId, {
        kind: 'products',
        products: [{ before: present, after: null }],
      });
      await tx.audit({
        action: 'deleted',
        target: 'product',
        targetId: id,
        data: { active_subscriptions: activeSubscriptions },
      });
      return tx.nowMs();
    });
  }

  countActiveSubscriptions(projectId: string, ids: readonly string[]): Promise<number> {
    return this.activeSubscriptions.ofProducts(projectId, ids);
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<Product> {
    return this.found(projectId, id);
  }

  /** All products of an app, oldest first. */
  ofApp(projectId: string, appId: string): Promise<Product[]> {
    return this.repository.ofApp(projectId, appId);
  }

  /** Returns those of the given products that exist, oldest first. */
  findMany(projectId: string, ids: string[], tx?: Transaction): Promise<Product[]> {
    return this.repository.findMany(projectId, [...new Set(ids)], tx);
  }

  /** @throws ApiError 404 naming `param` if one of the products is not in the project */
  async assertAll(tx: Transaction, projectId: string, ids: string[], param: string): Promise<Product[]> {
    const products = await this.findMany(projectId, ids, tx);
    const found = new Set(products.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw ApiError.missing('product', missing, param);
    return products;
  }

  /** @throws ApiError 404 naming `param` for an unknown product, 422 naming the archived ones */
  async assertAttachable(
    tx: Transaction,
    projectId: string,
    ids: string[],
    param: string,
  ): Promise<Product[]> {
    const products = await this.assertAll(tx, projectId, ids, param);
    const archived = products.filter(({ state }) => state === 'inactive').map(({ id }) => id);
    if (archived.length === 0) return products;
    throw new ApiError('archived_reference', 'Archived products cannot be attached.', {
      param,
      referencedObjectIds: archived,
    });
  }

  /** Up to `limit + 1` rows; `narrowTo` limits them to an app or to some ids. */
  page(
    projectId: string,
    narrowTo: { appId?: string; ids?: string[] },
    page: PageRequest,
  ): Promise<Product[]> {
    return this.repository.page(projectId, narrowTo, page);
  }

  private change(
    write: ProjectWrite,
    id: string,
    action: AuditAction<'product'>,
    after: (tx: WriteTransaction, present: Product) => Product | Promise<Product>,
  ): Promise<Product> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const present = await this.found(projectId, id, tx);
      const product = await after(tx, present);
      await this.repository.update(tx, product);
      await this.changes.publish(tx, projectId, {
        kind: 'products',
        products: [{ before: present, after: product }],
      });
      await tx.audit({
        action,
        target: 'product',
        targetId: id,
        data: auditChanges(present, product, recordedFields),
      });
      return product;
    });
  }

  private async found(projectId: string, id: string, tx?: Transaction): Promise<Product> {
    const product = await this.repository.find(projectId, id, tx);
    if (!product) throw ApiError.missing('product', id);
    return product;
  }
}
