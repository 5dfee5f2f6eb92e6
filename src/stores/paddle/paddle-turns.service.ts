import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import { NotificationDelayed, type NotificationOutcome } from '../notifications/notification-source.js';
import { type NotifiedPurchase, NotifiedPurchases } from '../notifications/notified-purchases.service.js';
import { StoreBudgetsService } from '../shared/store-budgets.service.js';
import { PaddleConnection } from './paddle.connection.js';

/**
 * Limits calls to Paddle about purchases that events name: Paddle counts the calls of all apps of an IP address
 * together.
 */
@Injectable()
export class PaddleTurnsService {
  constructor(
    private readonly budgets: StoreBudgetsService,
    private readonly notified: NotifiedPurchases,
    private readonly connection: PaddleConnection,
  ) {}

  /**
   * If the limit is reached, a known purchase is queued for a refresh. @throws NotificationDelayed for an unknown
   * purchase
   */
  async ask(
    { app, key, environment }: NotifiedPurchase & { app: App },
    isKnown: boolean,
  ): Promise<NotificationOutcome> {
    const place = { projectId: app.projectId, appId: app.id, environment };
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
    if (!isKnown) throw new NotificationDelayed('Paddle is asked about other purchases first.', waitMs);
    await this.notified.requestRefresh(app, { key, environment });
    return 'processed';
  }
}
