import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Clock, isStoreTime, newId } from '../../../libs/kernel/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { NotificationForwarderJob } from './notification-forwarder.job.js';
import { NotificationBodiesService } from './notification-bodies.service.js';
import type { NotificationHead, RawNotification } from './notification-source.js';
import { NotificationWorkerJob } from './notification-worker.job.js';
import { StoreNotificationsRepository } from './store-notifications.repository.js';

const MAX_REJECTED = 100;
const MAX_ERROR_LENGTH = 500;

@Injectable()
export class NotificationInboxService implements OnModuleInit {
  constructor(
    private readonly repository: StoreNotificationsRepository,
    private readonly worker: NotificationWorkerJob,
    private readonly forwarder: NotificationForwarderJob,
    private readonly health: CredentialHealthService,
    private readonly bodies: NotificationBodiesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.health.onRecovery(async (place, since) => {
      await this.repository.retry(place, since, new Date(this.clock.nowMs()));
      this.worker.wake(place);
    });
  }

  /**
   * Saves a genuine notification for processing in `delayMs`. Returns false for a duplicate. `wasMissed`: it never
   * arrived and was read from the store's history.
   */
  async save(
    app: App,
    { headers, body }: RawNotification,
    head: NotificationHead,
    { delayMs, wasMissed } = { delayMs: 0, wasMissed: false },
  ): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    const { 'content-type': contentType } = headers;
    const copied = app.storeSettings.notification_forward_url !== undefined;
    const place = { projectId: app.projectId, id: newId('storeNotification', nowMs) };
    const sealedBody = head.isSecret === true ? this.bodies.seal(place, body) : null;
    const isNew = await this.repository.insert({
      ...head,
      ...place,
      // Drop an impossible time: if the notification were rejected, the store would resend it for days.
      sentAtMs: isStoreTime(head.sentAtMs) ? head.sentAtMs : null,
      appId: app.id,
      body: sealedBody === null ? body : null,
      sealedBody,
      contentType: typeof contentType === 'string' ? contentType : null,
      receivedAtMs: nowMs,
      dueAtMs: nowMs + delayMs,
      copied,
      wasMissed,
    });
    const queue = { projectId: app.projectId, appId: app.id };
    if (isNew && copied) this.forwarder.wake(queue);
    if (isNew && delayMs === 0) this.worker.wake(queue);
    return isNew;
  }

  /** Processes notifications that were excluded for lack of an owner: these purchases now have one. */
  async purchasesKnown(projectId: string, appId: string, keys: string[]): Promise<void> {
    const now = new Date(this.clock.nowMs());
    if (await this.repository.reactivate(projectId, appId, keys, now)) this.worker.wake({ projectId, appId });
  }

  /** Saves the newest rejected notifications of each app, so that developers can see them. */
  saveRejected(
    { projectId, id: appId }: App,
    { body }: RawNotification,
    { kind, message }: { kind: 'unsigned' | null; message: string },
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const dedupeKey = `rej:${createHash('sha256').update(body).digest('hex')}`;
    const place = { projectId, id: newId('storeNotification', nowMs), appId, dedupeKey, kind };
    return this.repository.saveRejected(
      place,
      message.slice(0, MAX_ERROR_LENGTH),
      new Date(nowMs),
      MAX_REJECTED,
    );
  }
}
