import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { AppleServerApi } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { Apple } from './apple.js';
import { keyMissing, refusalOf, storeError } from './apple-errors.js';
import { extendReasonCodes, type MassExtendDto } from './mass-extension.dto.js';
import { type MassExtensionRow, MassExtensionsRepository } from './mass-extensions.repository.js';

/** How long a request that nobody knows the answer to is taken up again by one in the same words. */
const REPEATED_MS = 24 * 3_600_000;

/** Moves the renewal date of all subscribers of a product. Apple takes hours, and tells each by a notification. */
@Injectable()
export class MassExtensionsService {
  constructor(
    private readonly repository: MassExtensionsRepository,
    private readonly apple: Apple,
    private readonly apps: AppsService,
    private readonly catalogs: CatalogService,
    private readonly audit: AuditLog,
    private readonly health: CredentialHealth,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Whoever asks again because no answer came repeats the same request to Apple, which carries it out once.
   * @throws ApiError 404; 422 for other stores, without a key, and what Apple refuses; 503
   */
  async start(write: ProjectWrite, appId: string, wish: MassExtendDto): Promise<MassExtensionRow> {
    const { projectId } = write;
    const app = await this.apps.get(projectId, appId);
    const environment = wish.environment ?? 'production';
    const api = this.apiOf(app, environment);
    const nowMs = this.clock.nowMs();
    const wished: MassExtensionRow = {
      appId,
      id: randomUUID(),
      environment,
      productId: wish.product_id,
      storeProductId: await this.storeProduct(projectId, appId, wish.product_id),
      days: wish.extend_by_days,
      reason: wish.extend_reason_code,
      countries: (wish.storefront_country_codes ?? []).map((code) => code.toUpperCase()),
      complete: false,
      completedAt: null,
      succeeded: null,
      failed: null,
      requestedAt: new Date(nowMs),
    };
    const row = await this.repository.intend(projectId, wished, new Date(nowMs - REPEATED_MS));
    await this.asked(app, environment, () =>
      api.massExtend({
        productId: row.storeProductId,
        days: row.days,
        reasonCode: extendReasonCodes.indexOf(row.reason),
        requestId: row.id,
        countries: row.countries,
      }),
    );
    await this.database.transaction(async (tx) => {
      await this.repository.answered(tx, projectId, row);
      const data = { mass_extension_id: row.id, product_id: row.storeProductId, extend_by_days: row.days };
      await this.audit.record(tx, write, {
        action: 'subscribers_extended',
        target: 'app',
        targetId: appId,
        data,
      });
    });
    return row;
  }

  /** How far one is, asked of Apple until it is complete. @throws ApiError 404, 422, 503 */
  async get(projectId: string, appId: string, id: string): Promise<MassExtensionRow> {
    const app = await this.apps.get(projectId, appId);
    const known = await this.found(projectId, appId, id);
    if (known.complete) return known;
    const api = this.apiOf(app, known.environment);
    const status = await this.asked(app, known.environment, () =>
      api.massExtension(id, known.storeProductId),
    );
    if (status.complete !== true) return known;
    await this.repository.complete(app, { ...status, requestIdentifier: id }, status.completeDate);
    return this.found(projectId, appId, id);
  }

  private async found(projectId: string, appId: string, id: string): Promise<MassExtensionRow> {
    const row = await this.repository.find(projectId, appId, id);
    if (!row) throw ApiError.missing('mass extension', id);
    return row;
  }

  private apiOf(app: App, environment: MassExtensionRow['environment']): AppleServerApi {
    if (app.type !== 'app_store' && app.type !== 'mac_app_store') {
      throw new ApiError('impossible', 'Only the App Store extends all subscribers of a product.');
    }
    const appleApp = this.apple.appOf(app);
    if (appleApp.key === null) throw keyMissing();
    return this.apple.api(appleApp, appleApp.key, environment);
  }

  /** An app that was never released may not ask production: its refusal tells nothing of the key. */
  private async asked<T>(
    app: App,
    environment: MassExtensionRow['environment'],
    call: () => Promise<T>,
  ): Promise<T> {
    try {
      return await this.health.watched(app, call, environment === 'sandbox' ? refusalOf : () => null);
    } catch (error) {
      throw storeError(error);
    }
  }

  /** @throws ApiError 404 when no product of the app goes by that id */
  private async storeProduct(projectId: string, appId: string, id: string): Promise<string> {
    const catalog = await this.catalogs.get(projectId);
    const byId = catalog.products.get(id);
    const product = byId?.appId === appId ? byId : catalog.productOf(appId, id);
    if (!product) throw ApiError.missing('product', id, 'product_id');
    return product.storeIdentifier;
  }
}
