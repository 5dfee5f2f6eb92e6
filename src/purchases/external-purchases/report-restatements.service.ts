import { Injectable } from '@nestjs/common';
import type { LineChange } from '../../../libs/external-reports/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ReportRow } from '../external-reports/external-purchase-reports.repository.js';
import { ExternalPurchaseReportsService } from '../external-reports/external-purchase-reports.service.js';
import { ExternalPurchaseBindingsRepository } from './external-purchase-bindings.repository.js';

/** Corrections of reports by people and backends. */
@Injectable()
export class ReportRestatementsService {
  constructor(
    private readonly repository: ExternalPurchaseBindingsRepository,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly apps: AppsService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Returns the corrected or the additional report. @throws ApiError 404; 409 if there is nothing to restate */
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
}
