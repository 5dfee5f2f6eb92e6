import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  VerificationFailure,
  Verified,
} from '../../libs/stores/index.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../auth/principal.js';
import type { Catalog, CatalogApp } from '../catalog/catalog.model.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { appForPlatform } from '../catalog/platform.js';
import { CLOCK } from '../config/clock.token.js';
import { CustomerInfoService } from '../customers/customer-info.service.js';
import { CustomersService } from '../customers/customers.service.js';
import type { Device } from '../customers/last-seen.recorder.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { type PosterAnswer, PostedPurchasesService } from '../purchases/posted-purchases.service.js';
import { StoreConnections } from '../stores/store-connections.js';
import type { ReceiptBody } from './receipt.body.js';
import { ReceiptFollowUp } from './receipt-follow-up.js';

export interface ReceiptRequest {
  body: ReceiptBody;
  principal: PublicKeyPrincipal | SecretKeyPrincipal;
  device: Device;
  requestId: string;
}

export interface ReceiptAnswer extends PosterAnswer {
  purchasedProducts: Record<string, { should_consume: boolean }>;
}

/** Everything that a receipt shows. */
type ShownReceipt = Verified & Pick<StoreAdapter, 'store'>;

/** Only the installation is told of. */
const nothingBought: Verified = { failure: null, environment: 'production', purchases: [] };

/** A refused receipt is finished by the SDK, so only what can never be accepted is a 4xx. */
function receiptError(result: VerificationFailure): ApiError {
  const { failure, code, message } = result;
  if (failure === 'permanent') return new ApiError('invalid_request', message, { code });
  if (failure === 'credentials') return new ApiError('internal', message, { code, retryAfterS: 60 });
  const retryAfterS = Math.max(30, Math.ceil((result.retryAfterMs ?? 0) / 1000));
  return new ApiError('store_unreachable', message, { code, retryAfterS });
}

/** Purchases, restores and syncs that apps post. */
@Injectable()
export class ReceiptsService {
  constructor(
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(CustomerInfoService) private readonly customerInfo: CustomerInfoService,
    @Inject(PostedPurchasesService) private readonly posted: PostedPurchasesService,
    @Inject(StoreConnections) private readonly stores: StoreConnections,
    @Inject(ReceiptFollowUp) private readonly followUp: ReceiptFollowUp,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Verifies with the store, outside any transaction, then records everything in one.
   * @throws ApiError 4xx when the receipt can never be accepted, 5xx when time or a setting can cure it
   */
  async post(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const { body, principal, device } = request;
    const { projectId } = principal;
    const catalog = await this.catalogs.get(projectId);
    const app = this.appOf(catalog, request);
    const { fetchToken, appTransaction } = body;
    if (fetchToken === null && app.type === 'test_store') {
      const info = await this.customerInfo.getOrCreate(projectId, body.appUserId, device);
      return { ...info, purchasedProducts: {} };
    }
    const adapter = await this.stores.adapterOf(projectId, app);
    const installed =
      appTransaction === null ? null : await adapter.verifyInstallation?.(appTransaction, this.clock.nowMs());
    const verified =
      fetchToken === null
        ? nothingBought
        : await this.verify(
            adapter,
            this.receiptOf(body, fetchToken, catalog, app),
            catalog,
            app,
            body.appUserId,
          );
    const shown: ShownReceipt = {
      ...verified,
      store: adapter.store,
      installation: installed?.installation ?? verified.installation,
      accounts: [...(verified.accounts ?? []), ...(installed?.accounts ?? [])],
    };
    const answer = await this.record(request, catalog, app, shown);
    if (app.type !== 'test_store') await this.followUp.run(projectId, app.id, body.appUserId, shown);
    return { ...answer, purchasedProducts: this.purchasedProducts(body.productIds, verified) };
  }

  private appOf(catalog: Catalog, { principal, device, body }: ReceiptRequest): CatalogApp {
    if (principal.kind === 'secret_key')
      return appForPlatform(catalog, device.platform ?? undefined, body.productIds[0]);
    const app = catalog.apps.get(principal.appId);
    if (!app) throw new ApiError('unauthenticated', 'The API key is not known.');
    return app;
  }

  private receiptOf(body: ReceiptBody, fetchToken: string, catalog: Catalog, app: CatalogApp): PostedReceipt {
    const [productId] = body.productIds;
    const product = productId === undefined ? undefined : catalog.productOf(app.id, productId);
    const currency = body.currency ?? product?.testStorePrice?.currency ?? null;
    const price =
      body.priceMicros === null || currency === null ? null : { amountMicros: body.priceMicros, currency };
    return {
      fetchToken,
      productIds: body.productIds,
      price,
      country: body.storeCountry !== null && /^[A-Z]{2}$/.test(body.storeCountry) ? body.storeCountry : null,
      presentedOfferingId: body.presentedOfferingId,
    };
  }

  private async verify(
    adapter: StoreAdapter,
    receipt: PostedReceipt,
    catalog: Catalog,
    app: CatalogApp,
    appUserId: string,
  ): Promise<Verified> {
    const history = await this.historyForTrials(receipt, catalog, app, appUserId);
    const context: StoreContext = {
      nowMs: this.clock.nowMs(),
      product: (storeIdentifier) => {
        const product = catalog.productOf(app.id, storeIdentifier);
        return product && { ...product, price: product.testStorePrice };
      },
      hadProduct: (storeIdentifier) => history.has(storeIdentifier),
    };
    const result = await adapter.verify(receipt, context);
    if (result.failure !== null) throw receiptError(result);
    return result;
  }

  /** Products the customer had before; only asked for when a trial depends on it. */
  private async historyForTrials(
    receipt: PostedReceipt,
    catalog: Catalog,
    app: CatalogApp,
    appUserId: string,
  ): Promise<Set<string>> {
    const hasTrial = receipt.productIds.some((id) => catalog.productOf(app.id, id)?.trialDuration);
    if (!hasTrial) return new Set();
    const customer = await this.customers.find(this.database, catalog.projectId, appUserId);
    const others = customer?.chains.filter(({ chainKey }) => chainKey !== receipt.fetchToken) ?? [];
    return new Set(others.flatMap((row) => this.productsOfChain(row.facts)));
  }

  private productsOfChain(facts: unknown): string[] {
    const { periods } = facts as { periods: Record<string, { value: { storeProductId: string } }> };
    return Object.values(periods).map(({ value }) => value.storeProductId);
  }

  private record(
    { body, principal, device, requestId }: ReceiptRequest,
    catalog: Catalog,
    app: CatalogApp,
    { store, environment, purchases, installation }: ShownReceipt,
  ): Promise<PosterAnswer> {
    const posted = {
      projectId: principal.projectId,
      appId: app.id,
      store,
      environment,
      purchases,
      appUserId: body.appUserId,
      device,
      isRestore: body.isRestore,
      requestId,
      installation,
    };
    return this.posted.record(posted, catalog);
  }

  private purchasedProducts(
    productIds: string[],
    { purchases }: Verified,
  ): ReceiptAnswer['purchasedProducts'] {
    const shouldConsume = purchases.some(
      (purchase) => purchase.kind === 'one_time' && purchase.shouldConsume,
    );
    return Object.fromEntries(productIds.map((id) => [id, { should_consume: shouldConsume }]));
  }
}
