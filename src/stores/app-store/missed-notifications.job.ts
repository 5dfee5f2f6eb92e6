import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppleCallFailed } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { AppleService } from './apple.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { LogService } from '../../platform/observability/log.service.js';
import { NotificationIntakeService } from '../notifications/notification-intake.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Overlap with the previous poll: a delivery in progress at that time may have failed since. */
const OVERLAP_MS = 6 * HOUR_MS;
/** Apple keeps notifications for 180 days. */
const HORIZON_MS = 180 * DAY_MS - HOUR_MS;
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
/** Lets the refresh of the whole subscription run first: it returns the periods in order. */
const PROCESSED_AFTER_MS = 2 * MINUTE_MS;

/** Saves the notifications that Apple sent while this server was unreachable. Polls hourly, and at start-up. */
@Injectable()
export class MissedNotificationsJob implements OnModuleInit {
  readonly kind = 'read_missed_notifications';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly apple: AppleService,
    private readonly intake: NotificationIntakeService,
    private readonly refreshes: StoreRefreshesService,
    private readonly health: CredentialHealthService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('apple-missed-notifications', 10 * MINUTE_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['app_store', 'mac_app_store'], ['production', 'sandbox']);
  }

  async work(
    { projectId, appId, key: environment, markAt, attempts }: StoreTask,
    app: App,
  ): Promise<StoreTaskResult> {
    const startedAtMs = this.clock.nowMs();
    // Skip without moving the cursor, so that a later poll resumes here.
    if (this.apple.appOf(app).key === null) return { againAtMs: startedAtMs + HOUR_MS, error: null };
    const sinceMs = markAt === null ? app.createdAt.getTime() : markAt.getTime() - OVERLAP_MS;
    const span = { fromMs: Math.max(sinceMs, startedAtMs - HORIZON_MS), toMs: startedAtMs };
    try {
      await this.saveMissed(app, environment as Environment, span);
      return { againAtMs: startedAtMs + HOUR_MS, error: null, markAt: new Date(startedAtMs) };
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      // An app that was never released cannot call production; the other environment may still work.
      const isProduction = environment === 'production';
      if (error.failure === 'credentials' && !isProduction) {
        await this.health.failed(projectId, appId, error.message);
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, HOUR_MS);
      return { againAtMs: startedAtMs + Math.max(pauseMs, error.retryAfterMs ?? 0), error: error.message };
    }
  }

  /** Saves notifications that are missing here. Does nothing for an app without a key. @throws AppleCallFailed */
  private async saveMissed(
    app: App,
    environment: Environment,
    span: { fromMs: number; toMs: number },
  ): Promise<void> {
    const appleApp = this.apple.appOf(app);
    const { key } = appleApp;
    if (key === null) return;
    let page: string | null = null;
    do {
      const api = this.apple.api(appleApp, key, environment);
      const { signedPayloads, next } = await api.missedNotifications(span, page);
      const subjects = new Set<string>();
      for (const signedPayload of signedPayloads) {
        const subject = await this.save(app, signedPayload);
        if (subject !== null) subjects.add(subject);
      }
      const target = { projectId: app.projectId, appId: app.id, environment };
      if (subjects.size > 0) await this.refreshes.request(target, [...subjects]);
      page = next;
    } while (page !== null);
  }

  /** Returns the key of the purchase if the notification is new. */
  private async save(app: App, signedPayload: string): Promise<string | null> {
    const body = Buffer.from(JSON.stringify({ signedPayload }));
    const headers = { 'content-type': 'application/json' };
    try {
      const head = await this.intake.recover(app, { headers, body }, PROCESSED_AFTER_MS);
      return head?.subject ?? null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { projectId, id: appId } = app;
      this.log.warn({ err: error, projectId, appId }, 'a missed notification is not genuine');
      return null;
    }
  }
}
