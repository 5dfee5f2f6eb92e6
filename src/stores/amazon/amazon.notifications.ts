import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  CertificateUnavailable,
  NotGenuine,
  readAmazonNotification,
  readSnsMessage,
  type SnsMessage,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { OutboundRequestFailed } from '../../platform/outbound/outbound-errors.js';
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
import { replacedBy } from './receipt-changes.js';
import { Sns } from './sns.service.js';

const RETRY_AFTER_S = 60;

/** Real-time notifications of the Amazon Appstore, sent through SNS. Each only names the receipt to request. */
@Injectable()
export class AmazonNotifications implements NotificationSource, OnModuleInit {
  readonly store = 'amazon';
  readonly appTypes = ['amazon'] as const;

  constructor(
    private readonly sources: NotificationSourcesService,
    private readonly notified: NotifiedPurchases,
    private readonly apps: AppsService,
    private readonly sns: Sns,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  async authenticate(app: App, { body }: RawNotification): Promise<NotificationHead> {
    try {
      const message = await this.sns.verifier.verify(body);
      const head = this.headOf(app, message);
      const topic = await this.apps.pinTopic(app, message.topicArn);
      if (topic !== message.topicArn)
        throw new NotGenuine('The message is from a different topic than the first one.');
      if (message.token !== null) await this.apps.saveConfirmationToken(app, message.token);
      return head;
    } catch (error) {
      if (error instanceof NotGenuine) throw new ApiError('invalid_request', error.message, { code: 7103 });
      if (!(error instanceof CertificateUnavailable)) throw error;
      throw new ApiError('store_unreachable', error.message, { retryAfterS: RETRY_AFTER_S });
    }
  }

  async process({ app, body, attempts }: SavedNotification): Promise<NotificationOutcome> {
    const message = readSnsMessage(body);
    if (message.type === 'UnsubscribeConfirmation') return 'ignored_type';
    if (message.type === 'SubscriptionConfirmation') return this.confirm(message);
    const notification = readAmazonNotification(message.message);
    const { userId: storeUserId, receiptId, replacedReceiptId, unknown } = notification;
    if (attempts === 0) this.notified.recordUnknown(app, unknown);
    const bought = { storeUserId, fetchToken: receiptId };
    const answer = await this.notified.verify(app, bought, this.clock.nowMs());
    const outcome = await this.notified.recordAnswer(app, answer);
    if (replacedReceiptId !== null && answer.failure === null) {
      const replaced = { storeUserId, fetchToken: replacedReceiptId };
      const old = await this.notified.verify(app, replaced, this.clock.nowMs());
      await this.notified.recordAnswer(app, replacedBy(old, answer, this.clock.nowMs()));
    }
    return outcome;
  }

  private headOf({ storeSettings }: App, message: SnsMessage): NotificationHead {
    const { id, type, sentAtMs } = message;
    const head = { dedupeKey: id, kind: type, subkind: null, environment: null, subject: null, sentAtMs };
    if (id === '') throw new NotGenuine('The message has no MessageId.');
    if (type !== 'Notification') return head;
    const { packageName, type: kind, receiptId, sentAtMs: atMs } = readAmazonNotification(message.message);
    if (packageName !== storeSettings.package_name) {
      throw new NotGenuine(`The notification is for the app ${JSON.stringify(packageName)}.`);
    }
    return { ...head, kind, subject: receiptId, sentAtMs: atMs ?? sentAtMs };
  }

  private async confirm({ subscribeUrl }: SnsMessage): Promise<NotificationOutcome> {
    try {
      const { status } = await this.sns.read(subscribeUrl ?? '');
      if (status === 200) return 'processed';
      throw new NotificationDelayed(`Amazon answered ${status} to the confirmation of the subscription.`);
    } catch (error) {
      if (!(error instanceof OutboundRequestFailed)) throw error;
      throw new NotificationDelayed(error.message);
    }
  }
}
