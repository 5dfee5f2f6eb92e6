import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../libs/engine/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { LogService } from '../../platform/observability/log.service.js';
import { NotificationIntakeService } from '../notifications/notification-intake.service.js';
import { StoreRefreshesService } from '../shared/store-refreshes.service.js';
import { AppleService } from './apple.service.js';

/** Lets the refresh of the whole subscription run first: it returns the periods in order. */
const PROCESSED_AFTER_MS = 2 * 60_000;

@Injectable()
export class NotificationHistoryService {
  constructor(
    private readonly apple: AppleService,
    private readonly intake: NotificationIntakeService,
    private readonly refreshes: StoreRefreshesService,
    private readonly log: LogService,
  ) {}

  /** Saves notifications that are missing here. Does nothing for an app without a key. @throws AppleCallFailed */
  async takeIn(app: App, environment: Environment, span: { fromMs: number; toMs: number }): Promise<void> {
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
