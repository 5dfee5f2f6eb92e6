import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { ReportStore } from '../../../libs/external-reports/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import type { ReportOutcome } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ExternalPurchaseTokensService } from '../../purchases/external-purchases/external-purchase-tokens.service.js';
import { ReportRestatementsService } from '../../purchases/external-purchases/report-restatements.service.js';
import type { ReportRow } from '../../purchases/external-reports/external-purchase-reports.repository.js';
import {
  ExternalPurchaseReportsService,
  REPORT_ALARM_MS,
} from '../../purchases/external-reports/external-purchase-reports.service.js';
import type { StoreTask, StoreTaskKind, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { CredentialHealthService } from './credential-health.service.js';
import { StoreBudgetsService } from './store-budgets.service.js';

const MINUTE_MS = 60_000;
export const REPORTS_POLL_MS = 10 * MINUTE_MS;
const PAUSES_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);
const MAX_PAUSE_MS = 60 * MINUTE_MS;

const stores: readonly ReportStore[] = ['apple', 'google'];

/**
 * Sends an app's reports about outside purchases: those of one purchase in order, and at most 10 a second. Their
 * identifiers are stored before the first attempt, so a report that is sent again after a crash is accepted once.
 */
@Injectable()
export class ExternalReportDeliveryService {
  private readonly results: Counter;

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly restatements: ReportRestatementsService,
    private readonly tokens: ExternalPurchaseTokensService,
    private readonly budgets: StoreBudgetsService,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    this.results = new Counter({
      name: 'tenure_external_purchase_reports_total',
      help: 'Reports about outside purchases, by what the store did: accepted (sent) or refused.',
      labelNames: ['store', 'result'],
      registers: [registry],
    });
    for (const store of stores)
      for (const result of ['sent', 'refused']) this.results.inc({ store, result }, 0);
  }

  /** Runs the task of an app soon after reports to its store were added. Call at startup. */
  follow(store: ReportStore, kind: StoreTaskKind): void {
    this.reports.followReports(store, (projectId, appId) => void this.request(projectId, appId, kind));
  }

  private async request(projectId: string, appId: string, kind: StoreTaskKind): Promise<void> {
    try {
      await this.tasks.request(projectId, kind, [appId]);
    } catch (error) {
      this.log.warn({ err: error, projectId, appId }, 'reports were not requested; the next poll sends them');
    }
  }

  /** The result of a task that has nothing to send. */
  later(): StoreTaskResult {
    return { againAtMs: this.clock.nowMs() + REPORTS_POLL_MS, error: null };
  }

  /** Sends what is due. `send` calls the store once, and again only to find out whether it knows the report. */
  async sendDue(
    app: App,
    { attempts }: StoreTask,
    send: (report: ReportRow) => Promise<ReportOutcome>,
  ): Promise<StoreTaskResult> {
    const { projectId, id: appId } = app;
    await this.restatements.reconsider(app);
    for (;;) {
      const due = await this.reports.due(projectId, appId);
      if (due.length === 0) return this.later();
      for (const report of due) {
        const { environment } = report;
        const waitMs = await this.budgets.reserve({}, { projectId, appId, environment });
        if (waitMs > 0) return { againAtMs: this.clock.nowMs() + waitMs, error: null };
        const outcome = await send(report);
        if (outcome.outcome === 'sent' || outcome.outcome === 'refused')
          await this.record(app, report, outcome);
        else return this.retry(app, report, outcome, attempts);
      }
    }
  }

  private async record(
    app: App,
    { id, store, tokenId }: ReportRow,
    outcome: Extract<ReportOutcome, { outcome: 'sent' | 'refused' }>,
  ): Promise<void> {
    const { projectId, id: appId, credentialsRefused = true } = app;
    if (credentialsRefused) await this.health.worked(projectId, appId);
    if (outcome.outcome === 'sent') await this.reports.recordSent(projectId, id, this.clock.nowMs());
    else {
      const { message, isTokenUnknown = false } = outcome;
      if (isTokenUnknown && tokenId !== null) await this.tokens.refuse(projectId, tokenId);
      await this.reports.recordRefusal(projectId, id, message);
      this.log.warn(
        { projectId, appId, report: id, store, message },
        'a store refused a report about an outside purchase',
      );
    }
    this.results.inc({ store, result: outcome.outcome });
  }

  private async retry(
    { projectId, id: appId }: App,
    { id, store, createdAt }: ReportRow,
    outcome: Exclude<ReportOutcome, { outcome: 'sent' | 'refused' }>,
    attempts: number,
  ): Promise<StoreTaskResult> {
    const { message } = outcome;
    if (outcome.outcome === 'credentials') await this.health.failed(projectId, appId, message);
    const nowMs = this.clock.nowMs();
    const ageMs = nowMs - createdAt.getTime();
    if (ageMs > REPORT_ALARM_MS) {
      this.log.error(
        { projectId, appId, report: id, store, ageMs, message },
        'a report about an outside purchase has not reached its store',
      );
    }
    const retryAfterMs = outcome.outcome === 'busy' ? (outcome.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.max(PAUSES_MS[attempts] ?? MAX_PAUSE_MS, retryAfterMs);
    return { againAtMs: nowMs + Math.min(pauseMs, MAX_PAUSE_MS), error: message };
  }
}
