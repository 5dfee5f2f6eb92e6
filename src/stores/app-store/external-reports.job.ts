import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Counter, Registry } from 'prom-client';
import { canonicalJson, type Clock, isJsonObject } from '../../../libs/kernel/index.js';
import { AppleCallFailed, type AppleServerApi } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LogService } from '../../platform/observability/log.service.js';
import { OverdueTokensService } from '../../purchases/external-purchases/overdue-tokens.service.js';
import { ReportRestatementsService } from '../../purchases/external-purchases/report-restatements.service.js';
import type { ReportRow } from '../../purchases/external-reports/external-purchase-reports.repository.js';
import { ExternalPurchaseReportsService } from '../../purchases/external-reports/external-purchase-reports.service.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { AppleService } from './apple.service.js';
import { refusalOf } from './apple-errors.js';

const MINUTE_MS = 60_000;
const POLL_MS = 10 * MINUTE_MS;
const PAUSES_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);
const MAX_PAUSE_MS = 60 * MINUTE_MS;
/** Some regions require reports within a day. */
const ALARM_AFTER_MS = 20 * 60 * MINUTE_MS;

const store = 'apple';

/** Whether Apple's copy has all fields of the report. */
function isSameReport(accepted: unknown, body: object): boolean {
  if (!isJsonObject(accepted)) return false;
  return Object.entries(body).every(
    ([name, value]) => canonicalJson(accepted[name]) === canonicalJson(value),
  );
}

/**
 * Sends reports about outside purchases to Apple: one app at a time, each purchase in order. Their identifiers are stored
 * before the first attempt, so a report that is sent again after a crash is accepted once.
 */
@Injectable()
export class ExternalReportsJob implements OnModuleInit {
  readonly kind = 'send_external_reports';
  private readonly results: Counter;

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly reports: ExternalPurchaseReportsService,
    private readonly overdueTokens: OverdueTokensService,
    private readonly restatements: ReportRestatementsService,
    private readonly apple: AppleService,
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
    for (const result of ['sent', 'refused']) this.results.inc({ store, result }, 0);
  }

  onModuleInit(): void {
    this.tasks.handle(this);
    this.reports.followReports((projectId, appId) => void this.request(projectId, appId));
  }

  private async request(projectId: string, appId: string): Promise<void> {
    try {
      await this.tasks.request(projectId, this.kind, [appId]);
    } catch (error) {
      this.log.warn({ err: error, projectId, appId }, 'reports were not requested; the next poll sends them');
    }
  }

  @Interval('apple-external-reports', POLL_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['app_store', 'mac_app_store']);
  }

  async work({ projectId, appId, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const later = { againAtMs: this.clock.nowMs() + POLL_MS, error: null };
    if (app.storeSettings.external_purchase_reports?.enabled !== true) return later;
    await this.overdueTokens.report(projectId, appId);
    await this.restatements.reconsider(app);
    let current: ReportRow | undefined;
    try {
      for (let due = await this.reports.due(projectId, appId); due.length > 0;) {
        for (current of due) await this.send(app, current);
        due = await this.reports.due(projectId, appId);
      }
      return { ...later, againAtMs: this.clock.nowMs() + POLL_MS };
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      const nowMs = this.clock.nowMs();
      const ageMs = nowMs - (current?.createdAt.getTime() ?? nowMs);
      if (ageMs > ALARM_AFTER_MS) {
        const { message } = error;
        this.log.error(
          { projectId, appId, report: current?.id, ageMs, message },
          'a report about an outside purchase has not reached Apple',
        );
      }
      const pauseMs = Math.max(PAUSES_MS[attempts] ?? MAX_PAUSE_MS, error.retryAfterMs ?? 0);
      return { againAtMs: nowMs + Math.min(pauseMs, MAX_PAUSE_MS), error: error.message };
    }
  }

  /** @throws AppleCallFailed if it must be sent again */
  private async send(app: App, report: ReportRow): Promise<void> {
    const { id, environment } = report;
    const { projectId } = app;
    const appleApp = this.apple.appOf(app);
    const { key } = appleApp;
    if (key === null) throw new AppleCallFailed('credentials', 'The app has no in-app purchase key.');
    const api = this.apple.api(appleApp, key, environment);
    const refusal = await this.refusalFor(app, api, report);
    const isAccepted = refusal === null || (await this.isKnown(app, api, report));
    if (isAccepted) await this.reports.recordSent(projectId, id, this.clock.nowMs());
    else {
      await this.reports.recordRefusal(projectId, id, refusal);
      this.log.warn(
        { projectId, appId: app.id, report: id, message: refusal },
        'Apple refused a report about an outside purchase',
      );
    }
    this.results.inc({ store, result: isAccepted ? 'sent' : 'refused' });
  }

  /** Sends a report. Returns why Apple refused it, or null. @throws AppleCallFailed if it must be sent again */
  private async refusalFor(app: App, api: AppleServerApi, { body }: ReportRow): Promise<string | null> {
    try {
      await this.health.watched(app, () => api.sendExternalReport(body as object), refusalOf);
      return null;
    } catch (error) {
      if (error instanceof AppleCallFailed && error.failure === 'refused') return error.message;
      throw error;
    }
  }

  /** Apple refuses a report that it has accepted before, for example before a crash. */
  private async isKnown(
    app: App,
    api: AppleServerApi,
    { body, requestIdentifier }: ReportRow,
  ): Promise<boolean> {
    const accepted = await this.health.watched(app, () => api.externalReport(requestIdentifier), refusalOf);
    return isSameReport(accepted, body as object);
  }
}
