import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isDatePeriod, newId, parsePeriod } from '../../libs/kernel/index.js';
import { isCurrency } from '../../libs/money/index.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { bumpCatalogVersion } from '../catalog/catalog-version.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Executor, type Transaction } from '../database/database.js';
import { orAlreadyExists } from '../database/unique.js';
import { ApiError } from '../http/api-error.js';
import type { PageRequest } from '../http/lists.js';
import type { CreateProductDto, SubscriptionFieldsDto } from './product.dto.js';
import type { Product } from './product.entity.js';
import { ProductsRepository } from './products.repository.js';

/** Products of the stores. */
@Injectable()
export class ProductsService {
  constructor(
    @Inject(ProductsRepository) private readonly repository: ProductsRepository,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 400 naming the field, 404 for an unknown app, 409 for a store identifier in use */
  create(projectId: string, body: CreateProductDto): Promise<Product> {
    return this.database.transaction((tx) => this.createIn(tx, projectId, body));
  }

  /** As `create`, in a transaction that does more. */
  async createIn(tx: Transaction, projectId: string, body: CreateProductDto): Promise<Product> {
    const app = await this.apps.findIn(tx, projectId, body.app_id);
    if (!app) throw ApiError.missing('app', body.app_id, 'app_id');
    const { duration, trialDuration, gracePeriodDuration } = this.durations(body, app);
    const price = this.testStorePrice(body, app);
    const nowMs = this.clock.nowMs();
    const product: Product = {
      projectId,
      id: newId('product', nowMs),
      appId: app.id,
      storeIdentifier: body.store_identifier,
      type: body.type,
      state: 'active',
      displayName: body.display_name ?? body.title ?? null,
      duration,
      trialDuration,
      gracePeriodDuration,
      testStorePriceMicros: price?.amount_micros ?? null,
      testStorePriceCurrency: price?.currency ?? null,
      createdAt: new Date(nowMs),
    };
    await orAlreadyExists(
      this.repository.insert(tx, product),
      'products_store_identifier_unique',
      'store_identifier',
      `The app already has a product ${JSON.stringify(body.store_identifier)}.`,
    );
    await bumpCatalogVersion(tx, projectId);
    return product;
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<Product> {
    const product = await this.repository.find(this.database, projectId, id);
    if (!product) throw ApiError.missing('product', id);
    return product;
  }

  /**
   * Products by id, in the order asked.
   * @throws ApiError 404 naming `param` when one of them is not in the project
   */
  async getMany(executor: Executor, projectId: string, ids: string[], param: string): Promise<Product[]> {
    const found = new Map(
      (await this.repository.findMany(executor, projectId, ids)).map((row) => [row.id, row]),
    );
    return ids.map((id) => {
      const product = found.get(id);
      if (!product) throw ApiError.missing('product', id, param);
      return product;
    });
  }

  /**
   * Products by id, to be made part of something live.
   * @throws ApiError 404 naming `param` for an unknown one, 422 naming the archived ones
   */
  async getAttachable(
    executor: Executor,
    projectId: string,
    ids: string[],
    param: string,
  ): Promise<Product[]> {
    const products = await this.getMany(executor, projectId, ids, param);
    const archived = products.filter(({ state }) => state === 'inactive').map(({ id }) => id);
    if (archived.length === 0) return products;
    throw new ApiError('archived_reference', 'Archived products cannot be attached.', {
      param,
      referencedObjectIds: archived,
    });
  }

  page(projectId: string, appId: string | null, page: PageRequest): Promise<Product[]> {
    return this.repository.page(this.database, projectId, appId, page);
  }

  private durations(
    body: CreateProductDto,
    app: App,
  ): Pick<Product, 'duration' | 'trialDuration' | 'gracePeriodDuration'> {
    if (body.subscription && body.type !== 'subscription') {
      throw ApiError.parameter('subscription', 'subscription is only for products of type subscription.');
    }
    return {
      duration: this.duration(body.subscription, 'duration', app),
      trialDuration: this.testStoreDuration(body.subscription, 'trial_duration', app),
      gracePeriodDuration: this.testStoreDuration(body.subscription, 'grace_period_duration', app),
    };
  }

  /** Test Store periods may be minutes, so that a life can be watched. */
  private duration(
    fields: SubscriptionFieldsDto | null | undefined,
    name: keyof SubscriptionFieldsDto,
    app: App,
  ): string | null {
    const text = fields?.[name] ?? null;
    if (text === null) return null;
    const period = parsePeriod(text);
    if (!period || !(isDatePeriod(period) || app.type === 'test_store')) {
      throw ApiError.parameter(
        `subscription.${name}`,
        `subscription.${name} must be an ISO 8601 duration such as P1M.`,
      );
    }
    return text;
  }

  private testStoreDuration(
    fields: SubscriptionFieldsDto | null | undefined,
    name: 'trial_duration' | 'grace_period_duration',
    app: App,
  ): string | null {
    const text = this.duration(fields, name, app);
    if (text !== null && app.type !== 'test_store') {
      throw ApiError.parameter(
        `subscription.${name}`,
        `subscription.${name} is only for Test Store products.`,
      );
    }
    return text;
  }

  private testStorePrice(body: CreateProductDto, app: App): CreateProductDto['test_store_price'] {
    const price = body.test_store_price;
    if (!price) return null;
    if (app.type !== 'test_store') {
      throw ApiError.parameter('test_store_price', 'test_store_price is only for Test Store products.');
    }
    if (!isCurrency(price.currency)) {
      throw ApiError.parameter(
        'test_store_price.currency',
        'test_store_price.currency must be an ISO 4217 code in use.',
      );
    }
    return price;
  }
}
