import { Injectable } from '@nestjs/common';
import type { Verified } from '../../../libs/stores/index.js';
import type { CatalogOfApp } from '../../catalog/snapshot/catalog.service.js';
import type { CustomerInfoParts } from '../../customers/customers/customer-info/customer-info.js';
import type { AttributeSource } from '../../customers/customers/identity/customer-state.js';
import { withStoreUrl } from '../../customers/customers/customer-info/management-url.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { isWebStore } from '../../platform/principal/app-types.js';
import { PostedPurchasesService } from '../../purchases/recording/posted-purchases.service.js';
import { type AttributeError, tooManyError } from '../../support/attributes/sdk-attributes.js';
import { ReceiptFollowUpService } from './receipt-follow-up.service.js';
import type { ReceiptRequest } from './receipt-request.js';
import { ReceiptVerificationService, type ShownReceipt } from './receipt-verification.service.js';

export interface ReceiptAnswer extends CustomerInfoParts {
  purchasedProducts: Record<string, { should_consume: boolean }>;
  attributeErrors: AttributeError[];
}

@Injectable()
export class RecordedReceiptsService {
  constructor(
    private readonly verification: ReceiptVerificationService,
    private readonly posted: PostedPurchasesService,
    private readonly followUp: ReceiptFollowUpService,
  ) {}

  /** @throws ApiError 4xx if the receipt can never be accepted, 5xx if a retry or a setting can help */
  async record(request: ReceiptRequest, caller: CatalogOfApp): Promise<ReceiptAnswer> {
    const { projectId } = request.principal;
    const { app } = caller;
    const shown = await this.verification.verify(request, caller);
    const { appId = app.id } = shown;
    const answer = await this.recordShown(request, caller, shown).catch(async (error: unknown) => {
      // The store's data was still recorded for the purchases' owners.
      if (error instanceof ApiError && error.code === 7102) await this.followUp.run(projectId, appId, shown);
      throw error;
    });
    if (app.type !== 'test_store') await this.followUp.run(projectId, appId, shown);
    return { ...answer, purchasedProducts: purchasedProducts(request.body.productIds, shown) };
  }

  private async recordShown(
    { body, principal, device, requestId, attributes }: ReceiptRequest,
    { catalog, app }: CatalogOfApp,
    shown: ShownReceipt,
  ): Promise<Omit<ReceiptAnswer, 'purchasedProducts'>> {
    const { store, environment, purchases, installation, atTestClock, accounts, installedAccounts } = shown;
    const isBackend = principal.kind === 'secret_key';
    const posted = {
      projectId: principal.projectId,
      appId: shown.appId ?? app.id,
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
      attributeSource: isBackend ? ('api' as const) : sourceWithReceipt(shown),
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
}

/**
 * The caller who has a web store's receipt owns its purchases. With the receipts of other stores, SDKs send any
 * attributes that the app has set.
 */
function sourceWithReceipt({ store, purchases }: ShownReceipt): AttributeSource {
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
