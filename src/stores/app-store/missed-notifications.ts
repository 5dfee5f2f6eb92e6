import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Environment } from '../../../libs/engine/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { type AppleApp, AppleCallFailed, type InAppPurchaseKey } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Log } from '../../platform/observability/log.js';
import type { Chore, ChoreResult } from '../../purchases/store-tasks/store-chore.js';
import { StoreChores } from '../../purchases/store-tasks/store-chores.js';
import { NotificationIntakeService } from '../notifications/notification-intake.service.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { StoreRefreshes } from '../shared/store-refreshes.js';
import { Apple } from './apple.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What was under way at the last look may have failed since. */
const OVERLAP_MS = 6 * HOUR_MS;
/** Apple tells of no more. */
const HORIZON_MS = 180 * DAY_MS - HOUR_MS;
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
/** The whole history of a subscription is asked for first: it tells its periods in their order. */
const PROCESSED_AFTER_MS = 2 * MINUTE_MS;

/** Takes in the notifications that Apple sent while this server did not answer: asked for hourly, and at the start. */
@Injectable()
export class MissedNotifications implements OnModuleInit {
  readonly kind = 'read_missed_notifications';

  constructor(
    private readonly chores: StoreChores,
    private readonly apple: Apple,
    private readonly intake: NotificationIntakeService,
    private readonly refreshes: StoreRefreshes,
    private readonly health: CredentialHealth,
    private readonly apps: AppsService,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.chores.handle(this);
  }

  /** New apps, too. */
  @Interval('apple-missed-notifications', 10 * MINUTE_MS)
  schedule(): Promise<void> {
    return this.chores.schedule(this.kind, ['app_store', 'mac_app_store'], ['production', 'sandbox']);
  }

  async work({ projectId, appId, key: environment, markAt, attempts }: Chore): Promise<ChoreResult> {
    const startedAtMs = this.clock.nowMs();
    const app = await this.apps.findIn(this.database, projectId, appId);
    if (!app) return 'done';
    const appleApp = this.apple.appOf(app);
    // Later the look begins where it stopped.
    if (appleApp.key === null) return { againAtMs: startedAtMs + HOUR_MS, error: null };
    const sinceMs = markAt === null ? app.createdAt.getTime() : markAt.getTime() - OVERLAP_MS;
    const span = { fromMs: Math.max(sinceMs, startedAtMs - HORIZON_MS), toMs: startedAtMs };
    try {
      await this.takeIn(app, { ...appleApp, key: appleApp.key }, environment as Environment, span);
      return { againAtMs: startedAtMs + HOUR_MS, error: null, markAt: new Date(startedAtMs) };
    } catch (error) {
      if (!(error instanceof AppleCallFailed)) throw error;
      // An app that was never released may not ask production: a look at the other environment may well succeed.
      const isProduction = environment === 'production';
      if (error.failure === 'credentials' && !isProduction) {
        await this.health.failed(projectId, appId, error.message);
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, HOUR_MS);
      return { againAtMs: startedAtMs + Math.max(pauseMs, error.retryAfterMs ?? 0), error: error.message };
    }
  }

  private async takeIn(
    app: App,
    appleApp: AppleApp & { key: InAppPurchaseKey },
    environment: Environment,
    span: { fromMs: number; toMs: number },
  ): Promise<void> {
    let page: string | null = null;
    do {
      const api = this.apple.api(appleApp, appleApp.key, environment);
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

  /** Gives the purchase that it is about, when the notification is new here. */
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
