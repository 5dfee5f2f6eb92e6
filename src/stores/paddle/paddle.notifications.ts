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
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { PaddleTurnsService } from './paddle-turns.service.js';
import { PaddleService } from './paddle.service.js';

/** Handles Paddle webhooks. Each only names what to request from Paddle, so their order of arrival does not matter. */
@Injectable()
export class PaddleNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'paddle';
  readonly appTypes = ['paddle'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly lookups: PurchaseLookupsService,
    private readonly turns: PaddleTurnsService,
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
    return this.turns.ask({ app, key, environment }, known !== null);
  }
}

function notGenuine(message: string): ApiError {
  return new ApiError('invalid_request', message, { code: 7103 });
}
