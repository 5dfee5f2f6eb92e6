import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AppleNotification,
  environmentOf,
  NotGenuine,
  readNotification,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { OverdueTokensService } from '../../purchases/external-purchases/overdue-tokens.service.js';
import type { NamedOwner } from '../../purchases/ownership/reported-owners.service.js';
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
import { RefundOutcomesService } from '../refund-requests/refund-outcomes.service.js';
import { RefundRequestsRecorder } from '../refund-requests/refund-requests.recorder.js';
import { AppleService } from './apple.service.js';
import { outcomeIn, refundRequestIn } from './refund-notifications.js';
import { MassExtensionsRepository } from './mass-extensions.repository.js';

/** Handles App Store Server Notifications, version 2. */
@Injectable()
export class AppStoreNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'apple';
  readonly appTypes = ['app_store', 'mac_app_store'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly apple: AppleService,
    private readonly notified: NotifiedPurchases,
    private readonly refundRequests: RefundRequestsRecorder,
    private readonly refundOutcomes: RefundOutcomesService,
    private readonly massExtensions: MassExtensionsRepository,
    private readonly overdueTokens: OverdueTokensService,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  async authenticate(app: App, { body }: RawNotification): Promise<NotificationHead> {
    try {
      const { uuid, type, subtype, environment, purchaseKey, signedAtMs } = await this.read(app, body);
      return {
        dedupeKey: uuid.toLowerCase(),
        kind: type,
        subkind: subtype,
        environment: environment && environmentOf(environment),
        subject: purchaseKey,
        sentAtMs: signedAtMs,
      };
    } catch (error) {
      if (!(error instanceof NotGenuine)) throw error;
      this.notified.recordUnknown(app, error.unknown);
      throw new ApiError('invalid_request', error.message, { code: 7103 });
    }
  }

  async process(saved: SavedNotification): Promise<NotificationOutcome> {
    const { app, body } = saved;
    const notification = await this.genuine(app, body);
    if (saved.attempts === 0) this.notified.recordUnknown(app, notification.unknown);
    if (notification.summary) await this.massExtensions.complete(app.projectId, app.id, notification.summary);
    const { externalToken } = notification;
    if (externalToken) await this.overdueTokens.remind(app, externalToken);
    const isKept = await this.record(app, notification);
    const request = refundRequestIn(notification);
    if (request) await this.refundRequests.record(app, request);
    const outcome = outcomeIn(notification);
    if (outcome) await this.refundOutcomes.record(app, outcome);
    if (!isKept) return 'ignored_unknown_purchase';
    const isAnswered =
      notification.type === 'TEST' || notification.summary !== null || externalToken !== null;
    return notification.ignored && !isAnswered ? 'ignored_type' : 'processed';
  }

  private read(app: App, body: Buffer): Promise<AppleNotification> {
    return readNotification(this.apple.services.verifier, this.apple.appOf(app), body);
  }

  /**
   * The notification was verified on arrival. Settings may have changed since, and may change back, so a failure now is
   * retried.
   */
  private async genuine(app: App, body: Buffer): Promise<AppleNotification> {
    try {
      return await this.read(app, body);
    } catch (error) {
      if (error instanceof NotGenuine) throw new NotificationDelayed(error.message);
      throw error;
    }
  }

  /** Returns false if no customer owns the purchase and none can be assigned. */
  private async record(app: App, notification: AppleNotification): Promise<boolean> {
    const { purchases, purchaseKey, environment: appleEnvironment, refresh } = notification;
    if (purchases.length === 0 || purchaseKey === null || appleEnvironment === null) return true;
    const environment = environmentOf(appleEnvironment);
    const { store, key } = this.apple.appOf(app);
    const report = { store, environment, purchases };
    const unowned = await this.notified.record(app, report, newOwnerOf(notification));
    if (unowned.length > 0) return false;
    if (refresh && key !== null) await this.notified.requestRefresh(app, { key: purchaseKey, environment });
    return true;
  }
}

/**
 * The customer of a purchase that no app has posted. SDKs send Apple the app user id if it is a UUID, in upper or lower
 * case.
 */
function newOwnerOf({ transaction }: AppleNotification): NamedOwner {
  const token = transaction?.appAccountToken;
  const key = transaction?.appTransactionId;
  return {
    appUserIds: token === undefined ? [] : [token, token.toLowerCase(), token.toUpperCase()],
    accounts: key === undefined ? [] : [{ kind: 'apple_app_transaction_id', key }],
  };
}
