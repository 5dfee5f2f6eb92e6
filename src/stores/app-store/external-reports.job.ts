import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { canonicalJson, isJsonObject } from '../../../libs/kernel/index.js';
import {
  AppleCallFailed,
  type AppleServerApi,
  namesUnknownToken,
  type ReportOutcome,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { OverdueTokensService } from '../../purchases/external-purchases/overdue-tokens.service.js';
import type { ReportRow } from '../../purchases/external-reports/external-purchase-reports.repository.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import {
  ExternalReportDeliveryService,
  REPORTS_POLL_MS,
} from '../shared/external-report-delivery.service.js';
import { AppleService } from './apple.service.js';

/** Whether Apple's copy has all fields of the report. */
function isSameReport(accepted: unknown, body: object): boolean {
  if (!isJsonObject(accepted)) return false;
  return Object.entries(body).every(
    ([name, value]) => canonicalJson(accepted[name]) === canonicalJson(value),
  );
}

/** Sends reports about outside purchases and their tokens to Apple. */
@Injectable()
export class ExternalReportsJob implements OnModuleInit {
  readonly kind = 'send_external_reports';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly delivery: ExternalReportDeliveryService,
    private readonly overdueTokens: OverdueTokensService,
    private readonly apple: AppleService,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
    this.delivery.follow('apple', this.kind);
  }

  @Interval('apple-external-reports', REPORTS_POLL_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['app_store', 'mac_app_store']);
  }

  async work(task: StoreTask, app: App): Promise<StoreTaskResult> {
    if (app.storeSettings.external_purchase_reports?.enabled !== true) return this.delivery.later();
    await this.overdueTokens.report(task.projectId, task.appId);
    return this.delivery.sendDue(app, task, (report) => this.send(app, report));
  }

  private async send(app: App, report: ReportRow): Promise<ReportOutcome> {
    const appleApp = this.apple.appOf(app);
    const { key } = appleApp;
    if (key === null)
      return { outcome: 'busy', message: 'The app has no in-app purchase key.', retryAfterMs: null };
    const api = this.apple.api(appleApp, key, report.environment);
    try {
      return await this.sendWith(api, report);
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      const { failure, message, retryAfterMs } = error;
      return failure === 'credentials'
        ? { outcome: 'credentials', message }
        : { outcome: 'busy', message, retryAfterMs };
    }
  }

  /** @throws AppleCallFailed if it must be sent again */
  private async sendWith(
    api: AppleServerApi,
    { body, requestIdentifier }: ReportRow,
  ): Promise<ReportOutcome> {
    try {
      await api.sendExternalReport(body as object);
      return { outcome: 'sent', wasKnown: false };
    } catch (error) {
      if (!(error instanceof AppleCallFailed && error.failure === 'refused')) throw error;
      // Apple refuses a report that it has accepted before, for example before a crash.
      const accepted = await api.externalReport(requestIdentifier);
      if (isSameReport(accepted, body as object)) return { outcome: 'sent', wasKnown: true };
      const { message } = error;
      return { outcome: 'refused', message, isTokenUnknown: namesUnknownToken(message) };
    }
  }
}
