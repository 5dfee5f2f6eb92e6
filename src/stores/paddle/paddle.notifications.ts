import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { NotGenuine, type PaddleEvent, readPaddleEvent } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PurchaseLookupsService } from '../../purchases/recording/purchase-lookups.service.js';
import {
  NotificationDelayed,
  type NotificationHead,
  type NotificationOutcome,
  type NotificationSource,
  type RawNotification,
  type SavedNotification,
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { NotifiedPurchases } from '../notifications/notified-purchases.service.js';
import { StoreBudgetsService } from '../shared/store-budgets.service.js';
import { PaddleConnection } from './paddle.connection.js';
import { PaddleService } from './paddle.service.js';

/** Paddle webhooks. Each only names what to ask Paddle about, so their order of arrival does not matter. */
@Injectable()
export class PaddleNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'paddle';
  readonly appTypes = ['paddle'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly notified: NotifiedPurchases,
    private readonly apps: AppsService,
    private readonly lookups: PurchaseLookupsService,
    private readonly budgets: StoreBudgetsService,
    private readonly connection: PaddleConnection,
    private readonly paddle: PaddleService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- must reject, not throw
  async authenticate(app: App, { headers, body }: RawNotification): Promise<NotificationHead> {
    const secret = this.apps.credential(app, 'paddle_webhook_secret');
    if (secret === null || secret === '') throw notGenuine('The app has no paddle_webhook_secret.');
    const signature = headers['paddle-signature'];
    if (typeof signature !== 'string') throw notGenuine('The header Paddle-Signature is missing.');
    try {
      return this.headOf(app, readPaddleEvent(body, signature, { secret, nowMs: this.clock.nowMs() }));
    } catch (error) {
      if (error instanceof NotGenuine) throw notGenuine(error.message);
      throw error;
    }
  }

  headOf(app: App, { id, type, key, sentAtMs }: PaddleEvent): NotificationHead {
    const environment = this.paddle.environmentOf(app, this.paddle.keyOf(app));
    return { dedupeKey: id, kind: type, subkind: null, environment, subject: key, sentAtMs };
  }

  /** A purchase makes several events within seconds: what was read after one arrived is as new as it. */
  async process(notification: SavedNotification): Promise<NotificationOutcome> {
    const { app, environment, subject: key, receivedAtMs } = notification;
    if (key === null || environment === null) return 'ignored_type';
    const { projectId, id: appId } = app;
    const known = await this.lookups.knownAs(projectId, 'paddle', key);
    if (known && known.factsAtMs > receivedAtMs) return 'processed';
    const place = { projectId, appId, environment };
    const waitMs = await this.budgets.take(this.connection, place);
    if (waitMs === 0) {
      try {
        return await this.notified.fetch(app, { key, environment });
      } catch (error) {
        const pauseMs = error instanceof NotificationDelayed ? error.retryAfterMs : null;
        if (pauseMs !== null) await this.budgets.block(this.connection, place, pauseMs);
        throw error;
      }
    }
    // Paddle counts the calls of all apps together: what is known waits its turn in the queue of refreshes.
    if (!known) throw new NotificationDelayed('Paddle is asked about other purchases first.', waitMs);
    await this.notified.requestRefresh(app, { key, environment });
    return 'processed';
  }
}

function notGenuine(message: string): ApiError {
  return new ApiError('invalid_request', message, { code: 7103 });
}
