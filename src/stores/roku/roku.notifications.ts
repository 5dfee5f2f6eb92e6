import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  NotGenuine,
  readRokuPush,
  RokuKeysUnavailable,
  type RokuNotification,
  type RokuPush,
  RokuUnsigned,
  type VerificationFailure,
  type Verified,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import {
  type NotificationHead,
  type NotificationOutcome,
  type NotificationSource,
  type RawNotification,
  type SavedNotification,
  UnsignedNotification,
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { NotifiedPurchases } from '../notifications/notified-purchases.service.js';
import { RokuKeysService } from './roku-keys.service.js';
import { RokuService } from './roku.service.js';

const RETRY_AFTER_S = 60;
const HOUR_MS = 3_600_000;

/**
 * Push notifications of Roku Pay. Roku signs those of all developers with the same keys, so a genuine one may concern
 * another developer's purchase: nothing in it counts until Roku has confirmed it to the app's own key.
 */
@Injectable()
export class RokuNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'roku';
  readonly appTypes = ['roku'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly notified: NotifiedPurchases,
    private readonly health: CredentialHealthService,
    private readonly keys: RokuKeysService,
    private readonly roku: RokuService,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  async authenticate(app: App, { body }: RawNotification): Promise<NotificationHead> {
    const { notification, messageKey } = await this.verified(app, body);
    const { type, subscriptionKey, atMs, responseKey } = notification;
    return {
      dedupeKey: messageKey,
      kind: type,
      subkind: null,
      environment: null,
      subject: subscriptionKey,
      sentAtMs: atMs,
      answer: responseKey,
      // One address serves all channels of a developer account.
      app: (await this.seller(app, notification)) ?? app,
    };
  }

  async process({ app, body, attempts }: SavedNotification): Promise<NotificationOutcome> {
    const { notification } = readRokuPush(body);
    if (notification.type === 'Credit') return 'ignored_type';
    const seller = await this.seller(app, notification);
    if (seller === null) return 'ignored_unknown_purchase';
    if (attempts === 0) this.notified.recordUnknown(seller, notification.unknown);
    const answer = await this.roku.storeOf(seller).notified(notification);
    await this.health.recordResult(seller, 'roku', answer);
    const sold = answer.failure === null ? answer.appId : undefined;
    // The notification named a different channel than Roku's answer.
    if (sold !== undefined && sold !== seller.id) return 'ignored_unknown_purchase';
    const outcome = await this.notified.recordAnswer(seller, answer);
    await this.askAgain(seller, answer);
    return outcome;
  }

  /** A subscription in grace may recover without a notification. */
  private async askAgain(app: App, answer: Verified | VerificationFailure): Promise<void> {
    if (answer.failure !== null) return;
    const { environment, unfinished = [] } = answer;
    for (const key of unfinished) await this.notified.requestRefresh(app, { key, environment }, HOUR_MS);
  }

  /** The project's app for the channel of a notification; null if there is none. */
  private async seller(app: App, { channelId }: RokuNotification): Promise<App | null> {
    return channelId === null ? app : this.roku.appOfChannel(app, channelId);
  }

  private async verified(app: App, body: Buffer): Promise<RokuPush> {
    const allowTest = app.storeSettings.allow_test_notifications === true;
    try {
      return await this.keys.verifier.verify(body, { allowTest });
    } catch (error) {
      if (error instanceof RokuUnsigned) throw new UnsignedNotification(error.message);
      if (error instanceof NotGenuine) throw new ApiError('invalid_request', error.message, { code: 7103 });
      if (!(error instanceof RokuKeysUnavailable)) throw error;
      throw new ApiError('store_unreachable', error.message, { retryAfterS: RETRY_AFTER_S });
    }
  }
}
