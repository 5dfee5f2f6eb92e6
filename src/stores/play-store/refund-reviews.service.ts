import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type DeveloperNotification,
  type RefundReviewRequest,
  reviewDeadline,
  type VoidedPurchase,
  voidedOutcome,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { PurchaseLookupsService } from '../../purchases/lookups/purchase-lookups.service.js';
import type { NotificationOutcome } from '../notifications/notification-source.js';
import type { ReportedOutcome } from '../refund-requests/new-refund-request.js';
import { RefundOutcomesService } from '../refund-requests/refund-outcomes.service.js';
import { RefundRequestsRecorder } from '../refund-requests/refund-requests.recorder.js';

/** Google reports a voided order in a notification and in a list. Both are one outcome. */
const keyOf = (orderId: string): string => `voided:${orderId}`;

const environments = ['production', 'sandbox'] as const;

/** The outcomes in Google's list of voided purchases, which does not contain the environment. */
export function voidedOutcomes(voided: VoidedPurchase[]): ReportedOutcome[] {
  return voided.flatMap((one) => {
    const found = voidedOutcome(one);
    if (!found) return [];
    const { transactionId: paymentId, outcome, atMs } = found;
    const report = { outcome, outcomeKey: keyOf(paymentId), paymentId, atMs };
    return environments.map((environment) => ({ ...report, environment }));
  });
}

/** Records reviews of chargebacks that Google asks for, and their outcomes. */
@Injectable()
export class RefundReviewsService {
  constructor(
    private readonly lookups: PurchaseLookupsService,
    private readonly requests: RefundRequestsRecorder,
    private readonly outcomes: RefundOutcomesService,
  ) {}

  /** Anyone can send unsigned pushes, so those count only for orders that are known here. */
  async record(
    app: App,
    { token, orderId, reason, obfuscatedAccountId }: RefundReviewRequest,
    { eventAtMs, purchaseToken }: DeveloperNotification,
    receivedAtMs: number,
  ): Promise<NotificationOutcome> {
    const order = await this.lookups.purchaseOfOrder(app.projectId, app.id, orderId);
    const isUnverified = app.storeSettings.pubsub_audience === undefined;
    if (!order && isUnverified) return 'ignored_unknown_purchase';
    await this.requests.record(app, {
      environment: order?.environment ?? 'production',
      storeRequestKey: createHash('sha256').update(token).digest('hex'),
      isUnverified,
      pendingRefundToken: token,
      purchaseKey: order?.purchaseKey ?? purchaseToken,
      storeProductId: null,
      transactionId: null,
      orderId,
      reason,
      requestedAtMs: Math.min(eventAtMs ?? receivedAtMs, receivedAtMs),
      deadlineAtMs: reviewDeadline(eventAtMs, receivedAtMs),
      storeData: {
        kind: null,
        isOfBuyer: true,
        originalTransactionId: null,
        country: null,
        amount: null,
        accountToken: obfuscatedAccountId,
        isAdvancedCommerce: false,
      },
    });
    return 'processed';
  }

  /** Records that an order was voided, if Google signed the notification. The list of voided purchases has it, too. */
  async recordVoided(
    app: App,
    { voided, orderId, eventAtMs }: DeveloperNotification,
    receivedAtMs: number,
  ): Promise<void> {
    if (voided === null || orderId === null || app.storeSettings.pubsub_audience === undefined) return;
    const report = {
      outcome: voided.isFull ? ('refunded' as const) : ('partially_refunded' as const),
      outcomeKey: keyOf(orderId),
      paymentId: orderId,
      atMs: Math.min(eventAtMs ?? receivedAtMs, receivedAtMs),
    };
    await this.outcomes.recordAll(
      app,
      environments.map((environment) => ({ ...report, environment })),
    );
  }
}
