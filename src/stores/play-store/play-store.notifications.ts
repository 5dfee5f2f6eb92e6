import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type DeveloperNotification,
  NoNotification,
  NotFromGoogle,
  notificationTypes,
  PlayCallFailed,
  type PlayHints,
  type PlayPurchase,
  readPush,
  type VerificationFailure,
  verificationFailure,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import type {
  NotificationHead,
  NotificationOutcome,
  NotificationSource,
  RawNotification,
  SavedNotification,
} from '../notifications/notification-source.js';
import { NotificationSourcesService } from '../notifications/notification-sources.service.js';
import { NotifiedPurchases } from '../notifications/notified-purchases.service.js';
import { PlayService } from './play.service.js';
import { RefundReviewsService } from './refund-reviews.service.js';

const PAUSE_SCHEDULE_CHANGED = 11;
const REVOKED = 12;
const STORE = 'play_store' as const;
const MINUTE_MS = 60_000;

/** Any client can post unsigned notifications, so their rate is limited. */
const UNSIGNED: RateLimit = { name: 'unsigned_notifications', max: 50, windowMs: 1_000, aligned: true };

const kindNames = {
  voided: 'VOIDED_PURCHASE',
  refund_review: 'PENDING_REFUND_REVIEW',
  test: 'TEST',
  other: 'UNKNOWN',
} as const;

function nameOf({ kind, type }: DeveloperNotification): string {
  if (kind !== 'subscription' && kind !== 'one_time') return kindNames[kind];
  return notificationTypes[kind][type ?? 0] ?? `${kind.toUpperCase()}_${type ?? 'UNKNOWN'}`;
}

function headerOf(headers: RawNotification['headers'], name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null;
}

/** Handles real-time developer notifications, pushed by Pub/Sub. */
@Injectable()
export class PlayStoreNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'google';
  readonly appTypes = ['play_store'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly limiter: RateLimiterService,
    private readonly play: PlayService,
    private readonly lookups: PurchaseLookupsService,
    private readonly notified: NotifiedPurchases,
    private readonly reviews: RefundReviewsService,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  async authenticate(app: App, { headers, body }: RawNotification): Promise<NotificationHead> {
    await this.assertSender(app, headers);
    try {
      const { messageId, notification } = readPush(body, headerOf(headers, 'x-goog-pubsub-message-id'));
      return {
        dedupeKey: messageId,
        kind: nameOf(notification),
        subkind: null,
        // Only the purchase itself contains the environment.
        environment: null,
        subject: notification.purchaseToken,
        sentAtMs: notification.eventAtMs,
        // Its token suffices to answer in the developer's name.
        isSecret: notification.kind === 'refund_review',
      };
    } catch (error) {
      if (error instanceof NoNotification)
        throw new ApiError('invalid_request', error.message, { code: 7103 });
      throw error;
    }
  }

  async process({ app, body, receivedAtMs, attempts }: SavedNotification): Promise<NotificationOutcome> {
    const { notification } = readPush(body, 'saved');
    const { packageName, kind, purchaseToken } = notification;
    if (packageName !== app.storeSettings.package_name) return 'ignored_type';
    if (attempts === 0) this.notified.recordUnknown(app, notification.unknown);
    if (kind === 'test') return 'processed';
    if (notification.refundReview)
      return this.reviews.record(app, notification.refundReview, notification, receivedAtMs);
    if (purchaseToken === null) return 'ignored_type';
    const known = await this.lookups.knownAs(app.projectId, STORE, purchaseToken);
    // Without the kind of product, only a known purchase shows what was voided.
    if (known === null && notification.voided?.isSubscription === null) return 'ignored_unknown_purchase';
    if (known === null && app.storeSettings.track_new_purchases !== true) {
      if (!(await this.lookups.isTokenAwaited(app.projectId, app.id))) return 'ignored_unknown_purchase';
    }
    const hints = hintsOf(app, notification, receivedAtMs);
    const isHinted = Object.keys(hints).length > 0;
    // Google was read after this notification arrived: one answer covers all waiting notifications.
    if (known !== null && known.factsAtMs > receivedAtMs && !isHinted) return 'processed';
    const isProduct = kind === 'one_time' || notification.voided?.isSubscription === false;
    const found = await this.fetch(app, purchaseToken, hints, isProduct);
    const outcome = found === null ? 'processed' : await this.record(app, purchaseToken, found);
    await this.reviews.recordVoided(app, notification, receivedAtMs);
    return outcome;
  }

  /**
   * Verifies the sender of a push by Google's signature, if the app names an audience.
   * @throws ApiError 401 for a push from another sender, 503 while Google's keys cannot be read, 429 for too many
   * unsigned pushes. Pub/Sub resends after each of them
   */
  private async assertSender(app: App, { authorization }: RawNotification['headers']): Promise<void> {
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

  /** Null if there is nothing to record. @throws NotificationDelayed if Google cannot be called now */
  private async fetch(
    app: App,
    token: string,
    hints: PlayHints,
    isProduct: boolean,
  ): Promise<PlayPurchase | null> {
    const found = await this.answerOf(app, token, hints, isProduct);
    this.notified.recordUnknown(app, found.unknown);
    if (!('failure' in found)) return found;
    await this.notified.failed(app, STORE, found);
    return null;
  }

  private async answerOf(
    app: App,
    token: string,
    hints: PlayHints,
    isProduct: boolean,
  ): Promise<PlayPurchase | VerificationFailure> {
    try {
      return await this.play.background(app).read(token, hints, isProduct);
    } catch (error) {
      if (error instanceof PlayCallFailed) return verificationFailure(error);
      throw error;
    }
  }

  private async record(
    app: App,
    token: string,
    { environment, purchases, accounts, predecessors, isUnfinished }: PlayPurchase,
  ): Promise<NotificationOutcome> {
    if (isUnfinished) await this.notified.requestRefresh(app, { key: token, environment }, MINUTE_MS);
    const [predecessor] = predecessors;
    // SDKs send Google a hash of the app user id.
    const account = { predecessor, appUserIdHash: accounts[0]?.key, accounts };
    const unowned = await this.notified.record(app, { store: STORE, environment, purchases }, account);
    return unowned.includes(token) ? 'ignored_unknown_purchase' : 'processed';
  }
}

/**
 * Facts that only the notification contains. A refund in it counts if the sender was verified as Google; otherwise the
 * list of voided purchases reports it. A future date is replaced by the time of the report.
 */
function hintsOf(
  app: App,
  { kind, type, orderId, eventAtMs: reportedAtMs, voided }: DeveloperNotification,
  receivedAtMs: number,
): PlayHints {
  if (reportedAtMs === null) return {};
  const eventAtMs = Math.min(reportedAtMs, receivedAtMs);
  if (kind === 'subscription' && type === PAUSE_SCHEDULE_CHANGED) return { pauseScheduledAtMs: eventAtMs };
  if (app.storeSettings.pubsub_audience === undefined) return {};
  if (kind === 'subscription' && type === REVOKED) return { revoked: { orderId: null, atMs: eventAtMs } };
  return voided?.isFull ? { revoked: { orderId, atMs: eventAtMs } } : {};
}
