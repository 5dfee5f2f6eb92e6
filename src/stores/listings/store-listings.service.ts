import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { type ListedProduct, TooManyListed } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { CreateProductDto } from '../../catalog/products/product.dto.js';
import type { Product } from '../../catalog/products/product.entity.js';
import { ProductsService } from '../../catalog/products/products.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { StoreConnectionsService } from '../shared/store-connections.service.js';
import {
  compareListing,
  type ListingComparison,
  type ProductsHere,
  productsHere,
} from './listing-comparison.js';
import type { ImportStoreProductsDto } from './store-listing.dto.js';

const MAX_NAME = 1500;

/** A name that PostgreSQL can store. */
function nameFrom(text: string): string | null {
  return text.toWellFormed().replaceAll('\0', '').slice(0, MAX_NAME) || null;
}

/** Lists what stores have. Nothing is stored: each call asks the store, outside any transaction. */
@Injectable()
export class StoreListingsService {
  constructor(
    private readonly apps: AppsService,
    private readonly products: ProductsService,
    private readonly connections: StoreConnectionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404; 422 if the store cannot be listed, 503 if it cannot be reached */
  async list(projectId: string, appId: string): Promise<{ listing: ListedProduct[]; here: ProductsHere }> {
    const app = await this.apps.get(projectId, appId);
    const listing = await this.listingOf(app, true);
    return { listing, here: productsHere(await this.products.ofApp(projectId, appId)) };
  }

  /**
   * Creates products with the names and durations of the store; existing ones stay unchanged.
   * @throws ApiError as for `list`; 404 with `param` if the store does not have one of them
   */
  async import(
    write: ProjectWrite,
    appId: string,
    { store_identifiers: identifiers, one_time_type: oneTimeType }: ImportStoreProductsDto,
  ): Promise<{ created: Product[]; existing: Product[] }> {
    const app = await this.apps.get(write.projectId, appId);
    const listing = await this.listingOf(app, false);
    const byIdentifier = new Map(listing.map((listed) => [listed.storeIdentifier, listed]));
    const bodies = [...new Set(identifiers)].map((identifier): CreateProductDto => {
      const listed = byIdentifier.get(identifier);
      if (!listed) throw ApiError.missing('product of the store', identifier, 'store_identifiers');
      const { type, displayName, duration } = listed;
      return {
        store_identifier: identifier,
        app_id: app.id,
        type: type === 'one_time' ? (oneTimeType ?? type) : type,
        display_name: displayName && nameFrom(displayName),
        ...(duration !== null && { subscription: { duration } }),
      };
    });
    return this.products.importMissing(write, app, bodies);
  }

  /** @throws ApiError as for `list` */
  async compare(
    projectId: string,
    appId: string,
  ): Promise<ListingComparison & { here: ProductsHere; comparedAtMs: number }> {
    const app = await this.apps.get(projectId, appId);
    const listing = await this.listingOf(app, false);
    const products = await this.products.ofApp(projectId, appId);
    return {
      ...compareListing(products, listing),
      here: productsHere(products),
      comparedAtMs: this.clock.nowMs(),
    };
  }

  private async listingOf(app: App, withPrices: boolean): Promise<ListedProduct[]> {
    const connection = this.connections.forType(app.type);
    if (!connection?.listProducts) {
      throw new ApiError('impossible', `This server cannot list the products of ${app.type}.`);
    }
    try {
      return await connection.listProducts(app, { withPrices });
    } catch (error) {
      if (error instanceof TooManyListed) throw new ApiError('impossible', error.message);
      throw error;
    }
  }
}
