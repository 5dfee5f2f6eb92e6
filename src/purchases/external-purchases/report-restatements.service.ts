import { Inject, Injectable } from '@nestjs/common';
import type { LineChange } from '../../../libs/external-reports/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ReportRow } from '../external-reports/external-purchase-reports.repository.js';
import { ExternalPurchaseReportsService } from '../external-reports/external-purchase-reports.service.js';
import { ExternalPurchaseBindingsRepository } from './external-purchase-bindings.repository.js';

/** Corrections of reports by people and backends, and reports that can be completed later. */
@Injectable()
export class ReportRestatementsService {
  constructor(
    private readonly repository: ExternalPurchaseBindingsRepository,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly apps: AppsService,
    private readonly writes: ProjectWritesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the corrected or the additional report.
   * @throws ApiError 404; 409 if there is nothing to restate; 422 if Google has accepted the report
   */
  async restate(write: ProjectWrite, id: string, change: LineChange): Promise<ReportRow> {
    const { projectId } = write;
    const { appId, tokenId, items } = await this.reports.get(projectId, id);
    if (tokenId === null || items.length === 0)
      throw new ApiError('conflict', 'There is nothing to restate.');
    const restateWith = async (tx: WriteTransaction): Promise<ReportRow> => {
      const token = (await this.repository.reportTokens(tx, projectId, [tokenId])).get(tokenId);
      const app = await this.apps.find(projectId, appId, tx);
      if (!token || !app) throw new ApiError('conflict', 'The app of the report was deleted.');
      const { storeSettings: settings } = app;
      const restated = await this.reports.restate(tx, projectId, id, { change, token, settings }, tx.nowMs());
      const data = { report_id: restated.id };
      await tx.audit({ action: 'restated', target: 'external_purchase_report', targetId: id, data });
      return restated;
    };
    return this.writes.run(write, restateWith, { retryUniqueViolation: true });
  }

  /** Completes reports of an app that needed something that is known now. */
  async reconsider({ projectId, id: appId, storeSettings: settings }: App): Promise<void> {
    for (const { purchaseKey, tokenId } of await this.reports.incomplete(projectId, appId)) {
      await this.database.transaction(async (tx) => {
        const token = (await this.repository.reportTokens(tx, projectId, [tokenId])).get(tokenId);
        if (!token) return;
        await this.reports.reconsider(tx, projectId, purchaseKey, { token, settings }, this.clock.nowMs());
      });
    }
  }
}
