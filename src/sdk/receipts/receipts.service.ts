import { Injectable } from '@nestjs/common';
import { type CatalogOfApp, CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { appForPlatform } from '../../catalog/snapshot/platform.js';
import { CustomerInfoService } from '../../customers/customers/customer-info/customer-info.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type AttributeSender, senderOf } from '../../support/attributes/attributes.service.js';
import { AttributesService } from '../../support/attributes/attributes.service.js';
import { tooManyError } from '../../support/attributes/sdk-attributes.js';
import type { ReceiptRequest } from './receipt-request.js';
import { type ReceiptAnswer, RecordedReceiptsService } from './recorded-receipts.service.js';

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
    private readonly recorded: RecordedReceiptsService,
    private readonly attributes: AttributesService,
    private readonly customerInfo: CustomerInfoService,
  ) {}

  /** @throws ApiError 4xx if the receipt can never be accepted, 5xx if a retry or a setting can help */
  async post(request: ReceiptRequest): Promise<ReceiptAnswer> {
    try {
      const answer = await this.record(request);
      await this.keepAdServicesToken(request);
      return answer;
    } catch (error) {
      // SDKs assume that attributes sent with a refused receipt are saved, and never send them again.
      if (error instanceof ApiError && error.status < 500) {
        if (request.attributes.inputs.length > 0) await this.saveAttributes(request);
        await this.keepAdServicesToken(request);
      }
      throw error;
    }
  }

  private async record(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const caller = await this.caller(request);
    const { app } = caller;
    if (app.requiresSecretKey && request.principal.kind !== 'secret_key') throw secretKeyRequired();
    const isWithoutPurchase = request.body.fetchToken === null && app.type === 'test_store';
    return isWithoutPurchase ? this.withoutPurchase(request) : this.recorded.record(request, caller);
  }

  private async caller({ principal, device, body }: ReceiptRequest): Promise<CatalogOfApp> {
    if (principal.kind !== 'secret_key') return this.catalogs.ofApp(principal.projectId, principal.appId);
    const catalog = await this.catalogs.get(principal.projectId);
    return { catalog, app: appForPlatform(catalog, device.platform ?? undefined, body.productIds[0]) };
  }

  private async withoutPurchase(request: ReceiptRequest): Promise<ReceiptAnswer> {
    const { body, principal, attributes } = request;
    const { device } = this.sender(request);
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
}
