import { Injectable } from '@nestjs/common';
import { auditChanges } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AppsService } from '../../apps/apps.service.js';
import { bumpCatalogVersion } from '../../shared/catalog-version.js';
import { newDefaultPrice } from '../../snapshot/test-store-prices.policy.js';
import type { Product } from '../product.entity.js';
import { ProductsRepository } from '../products.repository.js';
import type { CreateTestStorePricesDto, UpdateProductPriceDto } from './product-price.dto.js';
import type { ProductPrice } from './product-price.entity.js';
import { presentTestStorePrice } from './product-price.presenter.js';
import {
  defaultPriceOf,
  newPriceTerms,
  pricesAfter,
  pricesOf,
  type PriceTerms,
  rowsOf,
  withDefaultPrice,
} from './product-prices.policy.js';
import { ProductPricesRepository } from './product-prices.repository.js';

const NOT_A_TEST_PRODUCT = 'Only products of a Test Store app have test prices.';
const SET_IN_STORE = 'Prices of this product are set in its store.';

/** Prices of Test Store products. Like all changes of products, theirs lock the project's row first. */
@Injectable()
export class ProductPricesService {
  constructor(
    private readonly repository: ProductPricesRepository,
    private readonly products: ProductsRepository,
    private readonly apps: AppsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** By currency; none for products of other stores. @throws ApiError 404 */
  async list(projectId: string, productId: string): Promise<ProductPrice[]> {
    return this.present(await this.found(projectId, productId));
  }

  /** By currency. @throws ApiError 404; 422 for a product of another store */
  async listOfTestStore(projectId: string, productId: string): Promise<ProductPrice[]> {
    const product = await this.found(projectId, productId);
    await this.assertTestStore(product, NOT_A_TEST_PRODUCT);
    return this.present(product);
  }

  /** @throws ApiError 400 naming the field; 404; 409 if there are prices; 422 for a product of another store */
  create(write: ProjectWrite, productId: string, body: CreateTestStorePricesDto): Promise<ProductPrice[]> {
    const prices = newPriceTerms(body.prices);
    return this.change(write, productId, NOT_A_TEST_PRODUCT, (before) => {
      if (before.length > 0) {
        throw ApiError.alreadyExists('prices', 'The product already has prices: change them one by one.');
      }
      return prices;
    });
  }

  /** @throws ApiError 404 also for a currency without a price; 422 for a product of another store */
  async update(
    write: ProjectWrite,
    productId: string,
    currency: string,
    { amount_micros: micros }: UpdateProductPriceDto,
  ): Promise<ProductPrice> {
    const hasCurrency = (price: PriceTerms): boolean => price.currency === currency;
    const prices = await this.change(write, productId, SET_IN_STORE, (before) => {
      if (!before.some(hasCurrency)) {
        throw new ApiError('missing', `The product has no price in ${JSON.stringify(currency)}.`);
      }
      return before.map((price) => (hasCurrency(price) ? { currency, micros } : price));
    });
    return prices.find(hasCurrency) as ProductPrice;
  }

  /** Stores the default prices of new products. */
  insertDefaults(tx: WriteTransaction, products: readonly Product[]): Promise<void> {
    const rows = products.flatMap((product) => {
      const price = defaultPriceOf(product);
      return price ? rowsOf(product, [price], [], tx.nowMs()) : [];
    });
    return this.repository.insert(tx, rows);
  }

  /** Stores the default price of a changed product, where it replaces the old one. */
  async replaceDefault(tx: WriteTransaction, present: Product, product: Product): Promise<void> {
    const before = await this.present(present, tx);
    await this.save(
      tx,
      product,
      pricesAfter(before, defaultPriceOf(present), defaultPriceOf(product)),
      before,
    );
  }

  private change(
    write: ProjectWrite,
    productId: string,
    refusal: string,
    after: (before: ProductPrice[]) => PriceTerms[],
  ): Promise<ProductPrice[]> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await bumpCatalogVersion(tx, projectId);
      const product = await this.found(projectId, productId, tx);
      await this.assertTestStore(product, refusal, tx);
      const before = await this.present(product, tx);
      const terms = after(before);
      const isDefault = ({ currency }: PriceTerms): boolean => currency === product.testStorePriceCurrency;
      const changed = withDefaultPrice(product, terms.find(isDefault) ?? newDefaultPrice(terms));
      await this.products.update(tx, changed);
      const prices = await this.save(tx, changed, terms, before);
      await tx.audit({
        action: 'updated',
        target: 'product',
        targetId: productId,
        data: auditChanges(
          { testStorePrices: before.map(presentTestStorePrice) },
          { testStorePrices: prices.map(presentTestStorePrice) },
          ['testStorePrices'],
        ),
      });
      return prices;
    });
  }

  private async save(
    tx: WriteTransaction,
    product: Product,
    terms: readonly PriceTerms[],
    before: readonly ProductPrice[],
  ): Promise<ProductPrice[]> {
    const rows = rowsOf(product, terms, before, tx.nowMs());
    await this.repository.deleteOfProduct(tx, product.projectId, product.id);
    await this.repository.insert(tx, rows);
    return pricesOf(product, rows);
  }

  private async present(product: Product, tx?: Transaction): Promise<ProductPrice[]> {
    return pricesOf(product, await this.repository.ofProduct(product.projectId, product.id, tx));
  }

  private async found(projectId: string, id: string, tx?: Transaction): Promise<Product> {
    const product = await this.products.find(projectId, id, tx);
    if (!product) throw ApiError.missing('product', id);
    return product;
  }

  private async assertTestStore(
    { projectId, appId }: Product,
    refusal: string,
    tx?: Transaction,
  ): Promise<void> {
    const app = await this.apps.find(projectId, appId, tx);
    if (app?.type !== 'test_store') throw new ApiError('impossible', refusal);
  }
}
