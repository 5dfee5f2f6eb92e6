import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { AppStoreCallsService } from './app-store-calls.service.js';
import { extendReasonCodes, type MassExtendDto } from './mass-extension.dto.js';
import { type MassExtensionRow, MassExtensionsRepository } from './mass-extensions.repository.js';

/** Within this time, an identical request counts as a retry of one whose outcome is unknown. */
const REPEATED_MS = 24 * 3_600_000;

const purpose = 'can extend all subscriptions of a product';

/** Moves the renewal date of all subscribers to a product. Apple takes hours and sends a notification for each one. */
@Injectable()
export class MassExtensionsService {
  constructor(
    private readonly repository: MassExtensionsRepository,
    private readonly calls: AppStoreCallsService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * If the answer is lost and the caller retries, Apple gets the same request and carries it out once.
   * @throws ApiError 404; 422 for another store, without a key, or if Apple refuses; 503
   */
  async start(write: ProjectWrite, appId: string, options: MassExtendDto): Promise<MassExtensionRow> {
    const { projectId } = write;
    const environment = options.environment ?? 'production';
    const store = await this.calls.storeOf({ projectId, appId }, environment, purpose);
    const nowMs = this.clock.nowMs();
    const wished: MassExtensionRow = {
      appId,
      id: randomUUID(),
      environment,
      productId: options.product_id,
      storeProductId: await this.storeProduct(projectId, appId, options.product_id),
      days: options.extend_by_days,
      reason: options.extend_reason_code,
      countries: (options.storefront_country_codes ?? []).map((code) => code.toUpperCase()),
      complete: false,
      completedAt: null,
      succeeded: null,
      failed: null,
      requestedAt: new Date(nowMs),
    };
    const row = await this.repository.intend(projectId, wished, new Date(nowMs - REPEATED_MS));
    await store.ask((api) =>
      api.massExtend({
        productId: row.storeProductId,
        days: row.days,
        reasonCode: extendReasonCodes.indexOf(row.reason),
        requestId: row.id,
        countries: row.countries,
      }),
    );
    await this.writes.run(write, async (tx) => {
      await this.repository.answered(tx, projectId, row);
      const data = { mass_extension_id: row.id, product_id: row.storeProductId, extend_by_days: row.days };
      await tx.audit({ action: 'subscribers_extended', target: 'app', targetId: appId, data });
    });
    return row;
  }

  /** The progress of a mass extension, fetched from Apple until it is complete. @throws ApiError 404, 422, 503 */
  async get(projectId: string, appId: string, id: string): Promise<MassExtensionRow> {
    await this.calls.assertApp(projectId, appId);
    const known = await this.found(projectId, appId, id);
    if (known.complete) return known;
    const store = await this.calls.storeOf({ projectId, appId }, known.environment, purpose);
    const status = await store.ask((api) => api.massExtension(id, known.storeProductId));
    if (status.complete !== true) return known;
    await this.repository.complete(
      projectId,
      appId,
      { ...status, requestIdentifier: id },
      status.completeDate,
    );
    return this.found(projectId, appId, id);
  }

  private async found(projectId: string, appId: string, id: string): Promise<MassExtensionRow> {
    const row = await this.repository.find(projectId, appId, id);
    if (!row) throw ApiError.missing('mass extension', id);
    return row;
  }

  /** @throws ApiError 404 if the app has no product with that id */
  private async storeProduct(projectId: string, appId: string, id: string): Promise<string> {
    const product = (await this.catalogs.get(projectId)).findProduct(appId, id);
    if (!product) throw ApiError.missing('product', id, 'product_id');
    return product.storeIdentifier;
  }
}
