import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isStoreTime, newId } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/api-error.js';
import { NotificationForwarder } from './notification-forwarder.js';
import type { NotificationHead, NotificationSource, RawNotification } from './notification-source.js';
import { NotificationSources } from './notification-sources.js';
import { NotificationWorker } from './notification-worker.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';

const MAX_REJECTED = 100;
const MAX_ERROR_LENGTH = 500;

/** Takes store notifications in: checked, saved, and answered; what they ask for is done afterwards. */
@Injectable()
export class NotificationIntakeService {
  constructor(
    private readonly apps: AppsService,
    private readonly sources: NotificationSources,
    private readonly repository: StoreNotificationsRepository,
    private readonly worker: NotificationWorker,
    private readonly forwarder: NotificationForwarder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Saves a notification, once. When this returns it will be processed, whatever happens to this process.
   * @throws ApiError 404 for an unknown app or one of another store; 4xx for what is not genuine
   */
  async receive(store: string, appId: string, notification: RawNotification): Promise<void> {
    const app = await this.apps.findAnywhere(appId);
    const source = app && this.sources.of(app.type);
    if (!app || source?.store !== store) {
      throw new ApiError('missing', `There is no app ${JSON.stringify(appId)} of this store.`);
    }
    const head = await this.authenticated(app, source, notification);
    if (await this.save(app, notification, head, 0)) this.worker.wake();
  }

  /**
   * Saves a notification that the store has sent and that never came, to be processed `delayMs` from now. Gives what
   * it says of itself; null when it is here already.
   * @throws ApiError 4xx for what is not genuine
   */
  async recover(app: App, notification: RawNotification, delayMs: number): Promise<NotificationHead | null> {
    const head = await this.sources.of(app.type)?.authenticate(app, notification);
    return head && (await this.save(app, notification, head, delayMs)) ? head : null;
  }

  /** Purchases have an owner from now on: what was put aside about them is processed. */
  async purchasesKnown(projectId: string, appId: string, keys: string[]): Promise<void> {
    const now = new Date(this.clock.nowMs());
    if (await this.repository.takeUp(projectId, appId, keys, now)) this.worker.wake();
  }

  /** False for a repetition. */
  private async save(
    app: App,
    { headers, body }: RawNotification,
    head: NotificationHead,
    delayMs: number,
  ): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    const { 'content-type': contentType } = headers;
    const copied = app.storeSettings.notification_forward_url !== undefined;
    const isNew = await this.repository.insert({
      ...head,
      // Refused for a time that it names, a genuine notification would come again for days.
      sentAtMs: isStoreTime(head.sentAtMs) ? head.sentAtMs : null,
      projectId: app.projectId,
      id: newId('storeNotification', nowMs),
      appId: app.id,
      body,
      contentType: typeof contentType === 'string' ? contentType : null,
      receivedAtMs: nowMs,
      dueAtMs: nowMs + delayMs,
      copied,
    });
    if (isNew && copied) this.forwarder.wake();
    return isNew;
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
      if (isRefused) await this.noteRejected(app, notification, error);
      throw error;
    }
  }

  private noteRejected(
    { projectId, id: appId }: App,
    { body }: RawNotification,
    { message }: ApiError,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const dedupeKey = `rej:${createHash('sha256').update(body).digest('hex')}`;
    const place = { projectId, id: newId('storeNotification', nowMs), appId, dedupeKey };
    return this.repository.insertRejected(
      place,
      message.slice(0, MAX_ERROR_LENGTH),
      new Date(nowMs),
      MAX_REJECTED,
    );
  }
}
