import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LogService } from '../../platform/observability/log.service.js';
import { nextProcessing } from './notification-retries.js';
import { NotificationDelayed, type NotificationOutcome } from './notification-source.js';
import { NotificationSourcesService } from './notification-sources.service.js';
import type { ClaimedNotification, ProcessingResult } from './store-notifications.repository.js';

const MAX_ERROR_LENGTH = 500;

@Injectable()
export class NotificationProcessor {
  constructor(
    private readonly apps: AppsService,
    private readonly sources: NotificationSourcesService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  /** Never throws. A failure is retried until retries run out. */
  async process(notification: ClaimedNotification): Promise<ProcessingResult> {
    const attempts = notification.attempts + 1;
    try {
      const state = await this.outcomeOf(notification);
      return { state, attempts, dueAt: null, error: null, at: new Date(this.clock.nowMs()) };
    } catch (error) {
      const delayed = error instanceof NotificationDelayed ? error : null;
      if (!delayed) {
        const { projectId, appId, id, kind } = notification;
        this.log.error({ err: error, projectId, appId, id, kind }, 'a store notification was not processed');
      }
      const message = delayed?.message ?? "The server failed to process it; see the server's log.";
      const nowMs = this.clock.nowMs();
      const dueAt = nextProcessing(attempts, nowMs, delayed?.retryAfterMs ?? null);
      return {
        state: dueAt === null ? 'failed' : 'retrying',
        attempts,
        dueAt,
        error: message.slice(0, MAX_ERROR_LENGTH),
        at: new Date(nowMs),
      };
    }
  }

  private async outcomeOf(claimed: ClaimedNotification): Promise<NotificationOutcome> {
    const { projectId, appId, receivedAt, ...notification } = claimed;
    const app = await this.apps.find(projectId, appId);
    const source = app && this.sources.of(app.type);
    // The app and its inbox have been deleted.
    if (!app || !source) return 'ignored_type';
    return source.process({ ...notification, app, receivedAtMs: receivedAt.getTime() });
  }
}
