import { Inject, Injectable } from '@nestjs/common';
import { alpha2Country, type Clock } from '../../../libs/kernel/index.js';
import type {
  PostedReceipt,
  StoreAdapter,
  StoreContext,
  Verified,
  VerifiedPurchase,
} from '../../../libs/stores/index.js';
import {
  type AttributeSender,
  AttributesService,
  senderOf,
} from '../../support/attributes/attributes.service.js';
import {
  type AttributeError,
  type SdkAttributes,
  tooManyError,
} from '../../support/attributes/sdk-attributes.js';
import type { PublicKeyPrincipal, SecretKeyPrincipal } from '../../platform/principal/principal.js';
import type { Catalog, CatalogApp } from '../../catalog/snapshot/catalog.model.js';
import { type CatalogOfApp, CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { appForPlatform } from '../../catalog/snapshot/platform.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CustomerInfoService } from '../../customers/customers/customer-info.service.js';
import type { CustomerInfoParts } from '../../customers/customers/customer-info.js';
import { CustomersService } from '../../customers/customers/customers.service.js';
import { withStoreUrl } from '../../customers/customers/management-url.js';
import type { Device } from '../../customers/customers/last-seen.recorder.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import { PostedPurchasesService } from '../../purchases/recording/posted-purchases.service.js';
import type { PostedPurchases } from '../../purchases/recording/purchase-recorder.js';
import { storeProductOf } from '../../purchases/recording/test-store-reports.js';
import { CredentialHealth } from '../../stores/shared/credential-health.js';
import { StoreConnections } from '../../stores/shared/store-connections.js';
import { verificationError } from '../../stores/shared/verification-error.js';
import type { ReceiptBody } from './receipt.body.js';
import { ReceiptFollowUp } from './receipt-follow-up.js';
import { ReceiptReads } from './receipt-reads.js';

export interface ReceiptRequest {
  body: ReceiptBody;
  principal: PublicKeyPrincipal | SecretKeyPrincipal;
  device: Device;
  /** As the device says. */
  isSandbox: boolean;
  requestId: string;
  attributes: SdkAttributes;
}

export interface ReceiptAnswer extends CustomerInfoParts {
  purchasedProducts: Record<string, { should_consume: boolean }>;
  attributeErrors: AttributeError[];
}

/** Everything that a receipt shows. */
type ShownReceipt = Verified &
  Pick<StoreAdapter, 'store'> &
  Pick<PostedPurchases, 'atTestClock' | 'installedAccounts'>;

/** Only the installation is told of. */
const nothingBought: Verified = { failure: null, environment: 'production', purchases: [] };

/** Code 7662: SDKs that would finish a refused purchase keep it, until the setting or the key changes. */
function secretKeyRequired(): ApiError {
  const message =
    'This app takes receipts with a secret key only (require_secret_key_for_receipts): post it from your server.';
  return new ApiError('forbidden', message, { code: 7662 });
}

/** Purchases, restores and syncs that apps post. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly customers: CustomersService,
    private readonly attributes: AttributesService,
    private readonly customerInfo: CustomerInfoService,
    private readonly lookups: PurchaseLookupsService,
    private readonly posted: PostedPurchasesService,
    private readonly stores: StoreConnections,
    private readonly credentials: CredentialHealth,
    private readonly reads: ReceiptReads,
    private readonly followUp: ReceiptFollowUp,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Verifies with the store, outside any transaction, then records everything in one.
   * @throws ApiError 4xx when the receipt can never be accepted, 5xx when time or a setting can cure it
   */
  async post(request: ReceiptRequest): Promise<ReceiptAnswer> {
    try {
      const answer = await this.verifyAndRecord(request);
      await this.keepAdServicesToken(request);
      return answer;
    } catch (error) {
      // The SDKs take what came with a refused receipt for saved and never send it again.
      if (error instanceof ApiError && error.status < 500) {
        if (request.attributes.inputs.length > 0) await this.saveAttributes(request);
        await this.keepAdServicesToken(request);
      }
      throw error;
    }
  }

  private async verifyAndRecord(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const { body, principal } = request;
    const { projectId } = principal;
    const { catalog, app } = await this.caller(request);
    if (app.requiresSecretKey && principal.kind === 'public_key') throw secretKeyRequired();
    const { fetchToken, appTransaction } = body;
    if (fetchToken === null && app.type === 'test_store') return this.withoutPurchase(request);
    const connected = await this.stores.adapterOf(projectId, app);
    const { adapter } = connected;
    const installed =
      appTransaction === null ? null : await adapter.verifyInstallation?.(appTransaction, this.clock.nowMs());
    const verifyAt =
      fetchToken === null
        ? () => Promise.resolve(nothingBought)
        : await this.verification(
            connected,
            this.receiptOf(request, fetchToken, { catalog, app }),
            catalog,
            app,
            body,
          );
    const verified = await verifyAt(null);
    const atTestClock = async (nowMs: number): Promise<VerifiedPurchase[]> =>
      (await verifyAt(nowMs)).purchases;
    const shown: ShownReceipt = {
      ...verified,
      ...(app.type === 'test_store' && { atTestClock }),
      store: adapter.store,
      installation: installed?.installation ?? verified.installation,
      installedAccounts: installed?.accounts,
    };
    const answer = await this.record(request, catalog, app, shown).catch(async (error: unknown) => {
      // The store's facts were recorded all the same, on their owners.
      if (error instanceof ApiError && error.code === 7102) await this.followUp.run(projectId, app.id, shown);
      throw error;
    });
    if (app.type !== 'test_store') await this.followUp.run(projectId, app.id, shown);
    return { ...answer, purchasedProducts: this.purchasedProducts(body.productIds, verified) };
  }

  private async withoutPurchase(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const { body, principal, device, attributes } = request;
    const tooMany = attributes.inputs.length > 0 ? await this.saveAttributes(request) : [];
    const info = await this.customerInfo.getOrCreate(principal.projectId, body.appUserId, {
      principal,
      device,
    });
    const attributeErrors = [...attributes.errors, ...tooMany.map(tooManyError)];
    return { ...info, purchasedProducts: {}, attributeErrors };
  }

  private saveAttributes(request: ReceiptRequest): Promise<string[]> {
    return this.attributes.post({ ...this.sender(request), inputs: request.attributes.inputs });
  }

  private async keepAdServicesToken(request: ReceiptRequest): Promise<void> {
    const { adServicesToken: token } = request.body;
    if (token !== null) await this.attributes.keepAdServicesToken(this.sender(request), token);
  }

  private sender({ body, principal, device }: ReceiptRequest): AttributeSender {
    return senderOf(principal, body.appUserId, device);
  }

  private async caller({ principal, device, body }: ReceiptRequest): Promise<CatalogOfApp> {
    if (principal.kind === 'public_key') return this.catalogs.ofApp(principal.projectId, principal.appId);
    const catalog = await this.catalogs.get(principal.projectId);
    return { catalog, app: appForPlatform(catalog, device.platform ?? undefined, body.productIds[0]) };
  }

  private receiptOf(
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
      isSandbox,
    };
  }

  /** What asks the store; a time is that of a test clock, null the real one. */
  private async verification(
    { adapter, caller }: Awaited<ReturnType<StoreConnections['adapterOf']>>,
    receipt: PostedReceipt,
    catalog: Catalog,
    app: CatalogApp,
    { appUserId, isPriceBeyond }: ReceiptBody,
  ): Promise<(testClockMs: number | null) => Promise<Verified>> {
    const history = await this.historyForTrials(receipt, catalog, app, appUserId);
    return async (testClockMs) => {
      const isTestClock = testClockMs !== null;
      const context: StoreContext = {
        nowMs: testClockMs ?? this.clock.nowMs(),
        isTestClock,
        product: (storeIdentifier) => {
          const product = catalog.productOf(app.id, storeIdentifier);
          const sold = product && storeProductOf(catalog, product, isTestClock);
          return sold && isPriceBeyond ? { ...sold, price: null } : sold;
        },
        hadProduct: (storeIdentifier) => history.has(storeIdentifier),
      };
      const ask = (): ReturnType<StoreAdapter['verify']> => adapter.verify(receipt, context);
      const { projectId, version } = catalog;
      const key = JSON.stringify([projectId, app.id, version, isPriceBeyond, receipt]);
      const result = await (adapter.store === 'test_store' ? ask() : this.reads.share(key, ask));
      await this.credentials.note(caller, adapter.store, result);
      if (result.failure === 'permanent' && result.isOver) {
        const known = await this.lookups.knownAs(catalog.projectId, adapter.store, receipt.fetchToken);
        if (known !== null) return nothingBought;
      }
      if (result.failure !== null) throw verificationError(result);
      return result;
    };
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
    const others = customer?.subscriptions.filter(({ storeKey }) => storeKey !== receipt.fetchToken) ?? [];
    return new Set(others.flatMap((row) => this.productsOfSubscription(row.facts)));
  }

  private productsOfSubscription(facts: unknown): string[] {
    const { periods } = facts as { periods: Record<string, { value: { storeProductId: string } }> };
    return Object.values(periods).map(({ value }) => value.storeProductId);
  }

  private async record(
    { body, principal, device, requestId, attributes }: ReceiptRequest,
    catalog: Catalog,
    app: CatalogApp,
    { store, environment, purchases, installation, atTestClock, accounts, installedAccounts }: ShownReceipt,
  ): Promise<Omit<ReceiptAnswer, 'purchasedProducts'>> {
    const isBackend = principal.kind === 'secret_key';
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
      atTestClock,
      accounts,
      installedAccounts,
      attributes: attributes.inputs,
      attributeSource: isBackend ? ('api' as const) : ('sdk' as const),
    };
    const answer = withStoreUrl(await this.posted.record(posted, catalog), [app.type]);
    return {
      subscriber: answer.subscriber,
      storeUrls: answer.storeUrls,
      lastSeenAtMs: answer.lastSeenAtMs,
      testClockMs: answer.testClockMs,
      attributes: isBackend ? answer.attributes : null,
      attributeErrors: [...attributes.errors, ...answer.tooManyAttributes.map(tooManyError)],
    };
  }

  /** By the names that were posted: Android looks its own up. Without any, by those of the store. */
  private purchasedProducts(
    productIds: string[],
    { purchases }: Verified,
  ): ReceiptAnswer['purchasedProducts'] {
    const bought = purchases.flatMap((purchase) => (purchase.kind === 'one_time' ? purchase : []));
    const names =
      productIds.length > 0
        ? productIds
        : bought.flatMap(({ observation }) => observation.facts.purchase?.value.storeProductId ?? []);
    const shouldConsume = bought.some((purchase) => purchase.shouldConsume);
    return Object.fromEntries(names.map((id) => [id, { should_consume: shouldConsume }]));
  }
}
