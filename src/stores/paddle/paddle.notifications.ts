import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotGenuine } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import {
  type NotificationHead,
  type NotificationOutcome,
  type NotificationSource,
  type RawNotification,
  type SavedNotification,
  NotificationDelayed,
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { PaddleService } from './paddle.service.js';
import { type NotifiedPurchase, NotifiedPurchases } from '../notifications/notified-purchases.service.js';
import { StoreBudgetsService } from '../shared/store-budgets.service.js';
import { PaddleConnection } from './paddle.connection.js';

/** Handles Paddle webhooks. Each only names what to request from Paddle, so their order of arrival does not matter. */
@Injectable()
export class PaddleNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'paddle';
  readonly appTypes = ['paddle'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly lookups: PurchaseLookupsService,
    private readonly notified: NotifiedPurchases,
    private readonly budgets: StoreBudgetsService,
    private readonly connection: PaddleConnection,
    private readonly paddle: PaddleService,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- must reject, not throw
  async authenticate(app: App, { headers, body }: RawNotification): Promise<NotificationHead> {
    const signature = headers['paddle-signature'];
    if (typeof signature !== 'string') throw notGenuine('The header Paddle-Signature is missing.');
    try {
      return this.paddle.headOf(app, this.paddle.eventIn(app, body, signature));
    } catch (error) {
      if (error instanceof NotGenuine) throw notGenuine(error.message);
      throw error;
    }
  }

  /** A purchase triggers several events within seconds. A read after an event's arrival already includes it. */
  async process(notification: SavedNotification): Promise<NotificationOutcome> {
    const { app, environment, subject: key, receivedAtMs } = notification;
    if (key === null || environment === null) return 'ignored_type';
    const known = await this.lookups.knownAs(app.projectId, 'paddle', key);
    if (known && known.factsAtMs > receivedAtMs) return 'processed';
    return this.fetchWithinBudget({ app, key, environment }, known !== null);
  }

  /**
   * Paddle counts the calls of all apps of an IP address together. If the limit is reached, a known purchase is queued
   * for a refresh. @throws NotificationDelayed for an unknown purchase
   */
  private async fetchWithinBudget(
    { app, key, environment }: NotifiedPurchase & { app: App },
    isKnown: boolean,
  ): Promise<NotificationOutcome> {
    const place = { projectId: app.projectId, appId: app.id, environment };
    const waitMs = await this.budgets.reserve(this.connection, place);
    if (waitMs === 0) {
      try {
        return await this.notified.fetch(app, { key, environment });
      } catch (error) {
        const pauseMs = error instanceof NotificationDelayed ? error.retryAfterMs : null;
        if (pauseMs !== null) await this.budgets.block(this.connection, place, pauseMs);
        throw error;
      }
    }
    if (!isKnown) throw new NotificationDelayed('Paddle is asked about other purchases first.', waitMs);
    await this.notified.requestRefresh(app, { key, environment });
    return 'processed';
  }
}

function notGenuine(message: string): ApiError {
  return new ApiError('invalid_request', message, { code: 7103 });
}
