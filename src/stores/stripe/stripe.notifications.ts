import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { NotGenuine, readStripeEvent } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type {
  NotificationHead,
  NotificationOutcome,
  NotificationSource,
  RawNotification,
  SavedNotification,
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { NotifiedPurchases } from '../notifications/notified-purchases.service.js';

/** Handles Stripe webhooks. Each only names what to request from Stripe, so their order of arrival does not matter. */
@Injectable()
export class StripeNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'stripe';
  readonly appTypes = ['stripe'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly notified: NotifiedPurchases,
    private readonly apps: AppsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  async authenticate(app: App, { headers, body }: RawNotification): Promise<NotificationHead> {
    const secret = this.apps.credential(app, 'stripe_webhook_secret');
    if (secret === null || secret === '') throw notGenuine('The app has no stripe_webhook_secret.');
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string') throw notGenuine('The header Stripe-Signature is missing.');
    const accountId = app.storeSettings.stripe_account_id ?? null;
    try {
      const event = await readStripeEvent(body, signature, { secret, accountId, nowMs: this.clock.nowMs() });
      const { id, type, environment, key, sentAtMs } = event;
      return { dedupeKey: id, kind: type, subkind: null, environment, subject: key, sentAtMs };
    } catch (error) {
      if (error instanceof NotGenuine) throw notGenuine(error.message);
      throw error;
    }
  }

  async process({ app, environment, subject }: SavedNotification): Promise<NotificationOutcome> {
    if (subject === null || environment === null) return 'ignored_type';
    return this.notified.fetch(app, { key: subject, environment });
  }
}

function notGenuine(message: string): ApiError {
  return new ApiError('invalid_request', message, { code: 7103 });
}
