import { Injectable } from '@nestjs/common';
import { NotFromGoogle } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import type { RawNotification } from '../notifications/notification-source.js';
import { PlayService } from './play.service.js';

/** Any client can post unsigned notifications, so their rate is limited. */
const UNSIGNED: RateLimit = { name: 'unsigned_notifications', max: 50, windowMs: 1_000, aligned: true };

/** Verifies the sender of a push by Google's signature, if the app names an audience. */
@Injectable()
export class PlayNotificationSendersService {
  constructor(
    private readonly play: PlayService,
    private readonly limiter: RateLimiterService,
  ) {}

  /**
   * @throws ApiError 401 for a push from another sender, 503 while Google's keys cannot be read, 429 for too many
   * unsigned pushes. Pub/Sub resends after each of them
   */
  async assertGenuine(app: App, { authorization }: RawNotification['headers']): Promise<void> {
    const { pubsub_audience: audience, pubsub_service_account: serviceAccount = null } = app.storeSettings;
    if (audience === undefined) {
      const { allowed, resetsAt } = await this.limiter.hit(UNSIGNED, app.projectId, app.id);
      if (allowed) return;
      const message = `More than ${UNSIGNED.max} unsigned notifications a second.`;
      throw this.limiter.refusal(message, resetsAt);
    }
    try {
      const header = typeof authorization === 'string' ? authorization : undefined;
      await this.play.pushTokens.check(header, { audience, serviceAccount });
    } catch (error) {
      if (error instanceof NotFromGoogle) {
        throw new ApiError('unauthenticated', error.message, { code: 7224 });
      }
      throw new ApiError('store_unreachable', "Google's signing keys cannot be loaded now.");
    }
  }
}
