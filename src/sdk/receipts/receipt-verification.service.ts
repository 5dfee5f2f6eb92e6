import { Inject, Injectable } from '@nestjs/common';
import { everSold, type SubscriptionFacts } from '../../../libs/engine/index.js';
import { alpha2Country, type Clock } from '../../../libs/kernel/index.js';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  Verified,
  VerifiedPurchase,
} from '../../../libs/stores/index.js';
import type { CatalogOfApp } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { PostedPurchases } from '../../purchases/recording/posted-purchases.js';
import { storeProductOf } from '../../purchases/recording/test-store-reports.js';
import { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';
import { ReceiptReadsService } from './receipt-reads.service.js';
import type { ReceiptRequest } from './receipt-request.js';

export type VerifiedReceipt = Verified &
  Pick<StoreAdapter, 'store'> &
  Pick<PostedPurchases, 'atTestClock' | 'installedAccounts'>;

/** For receipts that only describe the installation. */
const nothingBought: Verified = { failure: null, environment: 'production', purchases: [] };

/** Must run outside transactions. */
@Injectable()
export class ReceiptVerificationService {
  constructor(
    private readonly stores: StoreConnectionsService,
    private readonly reads: ReceiptReadsService,
    private readonly customers: CustomersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 4xx if the receipt can never be accepted, 5xx if a retry or a setting can help */
  async verify(request: ReceiptRequest, caller: CatalogOfApp): Promise<VerifiedReceipt> {
    const { catalog, app } = caller;
    const { fetchToken, appTransaction } = request.body;
    const connected = await this.stores.adapterOf(catalog.projectId, app);
    const { adapter } = connected;
    const installed =
      appTransaction === null ? null : await adapter.verifyInstallation?.(appTransaction, this.clock.nowMs());
    const verifyAt =
      fetchToken === null
        ? () => Promise.resolve(nothingBought)
        : await this.prepareVerification(connected, receiptOf(request, fetchToken, caller), caller, request);
    const verified = await verifyAt(null);
    const atTestClock = async (nowMs: number): Promise<VerifiedPurchase[]> =>
      (await verifyAt(nowMs)).purchases;
    return {
      ...verified,
      ...(app.type === 'test_store' && { atTestClock }),
      store: adapter.store,
      installation: installed?.installation ?? verified.installation,
      installedAccounts: installed?.accounts,
    };
  }

  /** Returns a function that queries the store at a test clock's time, or in real time for null. */
  private async prepareVerification(
    { adapter, caller }: Awaited<ReturnType<StoreConnectionsService['adapterOf']>>,
    receipt: PostedReceipt,
    { catalog, app }: CatalogOfApp,
    { body: { appUserId, isPriceBeyond, currency } }: ReceiptRequest,
  ): Promise<(testClockMs: number | null) => Promise<Verified>> {
    const history = await this.findTrialHistory(receipt, { catalog, app }, appUserId);
    return async (testClockMs) => {
      const isTestClock = testClockMs !== null;
      const context: StoreContext = {
        nowMs: testClockMs ?? this.clock.nowMs(),
        isTestClock,
        product: (storeIdentifier) => {
          const product = catalog.productOf(app.id, storeIdentifier);
          const sold = product && storeProductOf(catalog, product, { currency, isTestClock });
          return sold && isPriceBeyond ? { ...sold, price: null } : sold;
        },
        hadProduct: (storeIdentifier) => history.has(storeIdentifier),
      };
      const { projectId, version } = catalog;
      // The key contains only what affects the answer, so that equal receipts share one call.
      const key = () => JSON.stringify([projectId, app.id, version, isPriceBeyond, receipt]);
      const verified = await this.reads.read(adapter, caller, projectId, receipt, key, context);
      return verified ?? nothingBought;
    };
  }

  /**
   * Returns the store identifiers that the customer had before: the Test Store offers a trial depending on them.
   * Queried only if the receipt contains a product with a trial.
   */
  private async findTrialHistory(
    receipt: PostedReceipt,
    { catalog, app }: CatalogOfApp,
    appUserId: string,
  ): Promise<Set<string>> {
    const hasTrial = receipt.productIds.some((id) => catalog.productOf(app.id, id)?.trialDuration);
    if (!hasTrial) return new Set();
    const customer = await this.customers.find(catalog.projectId, appUserId);
    const others = customer?.subscriptions.filter(({ storeKey }) => storeKey !== receipt.fetchToken) ?? [];
    return new Set(others.flatMap(({ facts }) => productsOf(facts as SubscriptionFacts)));
  }
}

function productsOf(facts: SubscriptionFacts): string[] {
  return everSold({ facts }).map(({ storeProductId }) => storeProductId);
}

function receiptOf(
  { body, device, isSandbox }: ReceiptRequest,
  fetchToken: string,
  { catalog, app }: CatalogOfApp,
): PostedReceipt {
  const [productId] = body.productIds;
  const product = productId === undefined ? undefined : catalog.productOf(app.id, productId);
  const currency = body.currency ?? product?.testStorePrice?.currency ?? null;
  const price =
    body.priceMicros === null || currency === null ? null : { amountMicros: body.priceMicros, currency };
  return {
    fetchToken,
    storeUserId: body.storeUserId,
    productIds: body.productIds,
    price,
    country: alpha2Country(body.storeCountry) ?? device.country,
    presentedOfferingId: body.presentedOfferingId,
    presentedPlacementId: body.presentedPlacementId,
    targetingRule: body.targetingRule,
    isSandbox,
    ...(app.type === 'roku' && { introDuration: body.introDuration, trialDuration: body.trialDuration }),
  };
}
