import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { GoogleReport } from '../../../libs/external-reports/index.js';
import {
  credentialsHelp,
  PlayCallFailed,
  type ReportOutcome,
  refusesApp,
  sendGoogleReport,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ExternalPurchaseTokensService } from '../../purchases/external-purchases/external-purchase-tokens.service.js';
import type { ReportRow } from '../../purchases/external-reports/external-purchase-reports.repository.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import {
  ExternalReportDeliveryService,
  REPORTS_POLL_MS,
} from '../shared/external-report-delivery.service.js';
import { PlayService } from './play.service.js';

/** Sends reports about outside purchases to Google, as external transactions. */
@Injectable()
export class ExternalTransactionsJob implements OnModuleInit {
  readonly kind = 'send_external_transactions';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly delivery: ExternalReportDeliveryService,
    private readonly tokens: ExternalPurchaseTokensService,
    private readonly play: PlayService,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
    this.delivery.follow('google', this.kind);
  }

  @Interval('play-external-transactions', REPORTS_POLL_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['play_store']);
  }

  async work(task: StoreTask, app: App): Promise<StoreTaskResult> {
    if (app.storeSettings.external_transaction_reports?.enabled !== true) return this.delivery.later();
    return this.delivery.sendDue(app, task, (report) => this.send(app, report));
  }

  private async send(app: App, { body, tokenId }: ReportRow): Promise<ReportOutcome> {
    if (app.sealedCredentials.play_service_account_credentials_json === undefined)
      return { outcome: 'busy', message: 'The app has no service account.', retryAfterMs: null };
    const report = body as GoogleReport;
    const needsToken = report.call === 'create' && report.needsToken;
    const token = needsToken && tokenId !== null ? await this.tokens.secretOf(app.projectId, tokenId) : null;
    try {
      return await sendGoogleReport(this.play.api(app), report, token);
    } catch (error) {
      // The credentials cannot be read.
      if (!(error instanceof PlayCallFailed && refusesApp(error))) throw error;
      return { outcome: 'credentials', message: credentialsHelp(error) };
    }
  }
}
