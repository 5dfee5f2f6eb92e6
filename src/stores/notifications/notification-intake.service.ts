import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { DataLocationService, isElsewhere } from '../../platform/data-location/data-location.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { GradualStarts } from '../../platform/http/pipeline/gradual-starts.js';
import { NotificationInboxService } from './notification-inbox.service.js';
import {
  type NotificationHead,
  type NotificationSource,
  type RawNotification,
  UnsignedNotification,
} from './notification-source.js';
import { NotificationSourcesService } from './notification-sources.service.js';

@Injectable()
export class NotificationIntakeService {
  /** Stores send many at once, and verifying each takes as long as answering several phones. */
  private readonly starts = new GradualStarts();

  constructor(
    private readonly apps: AppsService,
    private readonly sources: NotificationSourcesService,
    private readonly inbox: NotificationInboxService,
    private readonly location: DataLocationService,
  ) {}

  /**
   * Saves a notification once. After it returns, the notification is processed even if this process dies. Returns the
   * text that the store expects in the response; null if it expects none.
   * @throws ApiError 404 for an unknown app or one of another store; 4xx if the notification is not genuine
   */
  async receive(store: string, appId: string, notification: RawNotification): Promise<string | null> {
    await this.starts.wait();
    const app = await this.apps.findAnywhere(appId);
    const source = app && this.sources.forType(app.type);
    if (!app || source?.store !== store) {
      throw new ApiError('missing', `There is no app ${JSON.stringify(appId)} of this store.`);
    }
    // The store resends it until its configured address is that of the other deployment.
    if (this.location.foreign(app.projectId)) throw isElsewhere();
    const head = await this.authenticated(app, source, notification);
    await this.inbox.save(head.app ?? app, notification, head);
    return head.answer ?? null;
  }

  /**
   * Saves a notification that the store sent but that never arrived, for processing in `delayMs`. Returns its header
   * data, or null if it is already saved.
   * @throws ApiError 4xx if the notification is not genuine
   */
  async recover(app: App, notification: RawNotification, delayMs: number): Promise<NotificationHead | null> {
    const head = await this.sources.forType(app.type)?.authenticate(app, notification);
    return head && (await this.inbox.save(head.app ?? app, notification, head, { delayMs, wasMissed: true }))
      ? head
      : null;
  }

  /**
   * Like `recover`, for notifications read from the store itself, which need no proof. Returns false if already saved.
   */
  recoverRead(
    app: App,
    notification: RawNotification,
    head: NotificationHead,
    delayMs: number,
  ): Promise<boolean> {
    return this.inbox.save(app, notification, head, { delayMs, wasMissed: true });
  }

  private async authenticated(
    app: App,
    source: NotificationSource,
    notification: RawNotification,
  ): Promise<NotificationHead> {
    try {
      return await source.authenticate(app, notification);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500 && error.kind !== 'rate_limited';
      if (isRefused) {
        const kind = error instanceof UnsignedNotification ? 'unsigned' : null;
        await this.inbox.saveRejected(app, notification, { kind, message: error.message });
      }
      throw error;
    }
  }
}
