import { Injectable } from '@nestjs/common';
import type { Verified } from '../../../libs/stores/index.js';
import { type CatalogOfApp, CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { appForPlatform } from '../../catalog/snapshot/platform.js';
import type { CustomerInfoParts } from '../../customers/customers/customer-info/customer-info.js';
import { CustomerInfoService } from '../../customers/customers/customer-info/customer-info.service.js';
import { withStoreUrl } from '../../customers/customers/customer-info/management-url.js';
import type { AttributeSource } from '../../customers/customers/identity/customer-state.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { isWebStore } from '../../platform/principal/app-types.js';
import { PostedPurchasesService } from '../../purchases/recording/posted-purchases.service.js';
import {
  type AttributeSender,
  AttributesService,
  senderOf,
} from '../../support/attributes/attributes.service.js';
import { type AttributeError, tooManyError } from '../../support/attributes/sdk-attributes.js';
import { ReceiptFollowUpService } from './receipt-follow-up.service.js';
import type { ReceiptRequest } from './receipt-request.js';
import { ReceiptVerificationService, type VerifiedReceipt } from './receipt-verification.service.js';

export interface ReceiptAnswer extends CustomerInfoParts {
  purchasedProducts: Record<string, { should_consume: boolean }>;
  attributeErrors: AttributeError[];
}

/** With code 7662, SDKs retain the refused purchase until the setting or the key changes. */
function secretKeyRequired(): ApiError {
  const message =
    'This app accepts receipts only with a secret key (require_secret_key_for_receipts): post it from your server.';
  return new ApiError('forbidden', message, { code: 7662 });
}

@Injectable()
export class ReceiptsService {
  constructor(
    private readonly catalogs: CatalogService,
    private readonly verification: ReceiptVerificationService,
    private readonly posted: PostedPurchasesService,
    private readonly followUp: ReceiptFollowUpService,
    private readonly attributes: AttributesService,
    private readonly customerInfo: CustomerInfoService,
  ) {}

  /** @throws ApiError 4xx if the receipt can never be accepted, 5xx if a retry or a setting can help */
  async post(request: ReceiptRequest): Promise<ReceiptAnswer> {
    try {
      const answer = await this.record(request);
      await this.saveAdServicesToken(request);
      return answer;
    } catch (error) {
      // SDKs assume that attributes sent with a refused receipt are saved, and never send them again.
      if (error instanceof ApiError && error.status < 500) {
        if (request.attributes.inputs.length > 0) await this.saveAttributes(request);
        await this.saveAdServicesToken(request);
      }
      throw error;
    }
  }

  private async record(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const caller = await this.findCaller(request);
    const { app } = caller;
    if (app.requiresSecretKey && request.principal.kind !== 'secret_key') throw secretKeyRequired();
    const isWithoutPurchase = request.body.fetchToken === null && app.type === 'test_store';
    return isWithoutPurchase ? this.recordWithoutPurchase(request) : this.recordPurchases(request, caller);
  }

  private async recordPurchases(request: ReceiptRequest, caller: CatalogOfApp): Promise<ReceiptAnswer> {
    const { projectId } = request.principal;
    const { app } = caller;
    const verified = await this.verification.verify(request, caller);
    const { appId = app.id } = verified;
    const answer = await this.recordVerified(request, caller, verified).catch(async (error: unknown) => {
      // The store's data was still recorded for the purchases' owners.
      if (error instanceof ApiError && error.code === 7102)
        await this.followUp.run(projectId, appId, verified);
      throw error;
    });
    if (app.type !== 'test_store') await this.followUp.run(projectId, appId, verified);
    return { ...answer, purchasedProducts: purchasedProducts(request.body.productIds, verified) };
  }

  private async recordVerified(
    { body, principal, device, requestId, attributes }: ReceiptRequest,
    { catalog, app }: CatalogOfApp,
    verified: VerifiedReceipt,
  ): Promise<Omit<ReceiptAnswer, 'purchasedProducts'>> {
    const { store, environment, purchases, installation, atTestClock, accounts, installedAccounts } =
      verified;
    const isBackend = principal.kind === 'secret_key';
    const posted = {
      projectId: principal.projectId,
      appId: verified.appId ?? app.id,
      store,
      environment,
      purchases,
      appUserId: body.appUserId,
      // A backend does not run on the customer's device.
      device: isBackend ? null : device,
      isRestore: body.isRestore,
      requestId,
      installation,
      atTestClock,
      accounts,
      installedAccounts,
      attributes: attributes.inputs,
      attributeSource: isBackend ? ('api' as const) : sourceWithReceipt(verified),
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

  private async findCaller({ principal, device, body }: ReceiptRequest): Promise<CatalogOfApp> {
    if (principal.kind !== 'secret_key') return this.catalogs.ofApp(principal.projectId, principal.appId);
    const catalog = await this.catalogs.get(principal.projectId);
    return { catalog, app: appForPlatform(catalog, device.platform ?? undefined, body.productIds[0]) };
  }

  private async recordWithoutPurchase(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const { body, principal, attributes } = request;
    const { device } = senderOfReceipt(request);
    const tooMany = attributes.inputs.length > 0 ? await this.saveAttributes(request) : [];
    const info = await this.customerInfo.getOrCreate(principal.projectId, body.appUserId, {
      principal,
      device,
    });
    const attributeErrors = [...attributes.errors, ...tooMany.map(tooManyError)];
    return { ...info, purchasedProducts: {}, attributeErrors };
  }

  private saveAttributes(request: ReceiptRequest): Promise<string[]> {
    return this.attributes.post({ ...senderOfReceipt(request), inputs: request.attributes.inputs });
  }

  private async saveAdServicesToken(request: ReceiptRequest): Promise<void> {
    const { adServicesToken: token } = request.body;
    if (token !== null) await this.attributes.saveAdServicesToken(senderOfReceipt(request), token);
  }
}

function senderOfReceipt({ body, principal, device }: ReceiptRequest): AttributeSender {
  return senderOf(principal, body.appUserId, device);
}

/**
 * The caller who has a web store's receipt owns its purchases. With the receipts of other stores, SDKs send any
 * attributes that the app has set.
 */
function sourceWithReceipt({ store, purchases }: VerifiedReceipt): AttributeSource {
  return isWebStore(store) && purchases.length > 0 ? 'receipt' : 'sdk';
}

/** Keyed by the posted product ids, which Android looks up, or else by the store's. */
function purchasedProducts(
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
