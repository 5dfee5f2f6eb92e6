import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import {
  type AnswerPreference,
  type AnswerResult,
  appleRefundAnswer,
  googleRefundAnswer,
} from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { StoreConnectionsService } from '../shared/store-connections.service.js';
import { hasConsent } from './refund-decision.policy.js';
import { RefundFactsService, type RefundSubject } from './refund-facts.service.js';
import type { RefundRequest } from './refund-request.entity.js';
import { isOfAppStoreOnly } from './refunded-purchase.js';
import { refundTokenPlace } from './secret-places.js';

/** The store's answer, with the body that it got; or why nothing was sent. */
export type SentAnswer =
  | { result: 'sent'; body: object }
  | Exclude<AnswerResult, { result: 'sent' }>
  | { result: 'limited'; forMs: number }
  | { result: 'not_wanted'; reason: 'unknown_purchase' | 'no_consent' };

/** Google documents no limit for reviews of chargebacks. Counted by app. */
const reviews: RateLimit = { name: 'refund_reviews', max: 1, windowMs: 1_000 };

type Answerable = RefundRequest & { preference: AnswerPreference };

/** Builds the answer to a refund request and sends it to its store. */
@Injectable()
export class RefundAnswersService {
  constructor(
    private readonly facts: RefundFactsService,
    private readonly connections: StoreConnectionsService,
    private readonly secrets: SecretsService,
    private readonly limiter: RateLimiterService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Calls the store once. */
  async send(app: App, request: Answerable): Promise<SentAnswer> {
    const subject = await this.facts.subjectOf(request);
    // The customer was deleted, or the purchase was.
    if (!subject || request.storeData === null) return { result: 'not_wanted', reason: 'unknown_purchase' };
    return app.type === 'play_store'
      ? this.sendToGoogle(app, request, subject)
      : this.sendToApple(app, request, subject);
  }

  private async sendToApple(app: App, request: Answerable, subject: RefundSubject): Promise<SentAnswer> {
    const { customer, purchase, spending } = subject;
    const { storeData, transactionId, environment, preference } = request;
    // Consent can be withdrawn while the answer waits.
    if (!hasConsent(customer.attributes, app.storeSettings))
      return { result: 'not_wanted', reason: 'no_consent' };
    const kind = storeData?.kind ?? purchase.kind;
    const connection = this.connections.forType(app.type);
    if (!connection?.sendConsumption || kind === null || transactionId === null)
      return { result: 'refused', code: null, message: 'The type of the purchase is unknown.' };
    const answer = appleRefundAnswer(
      {
        purchaseKind: kind,
        isAdvancedCommerce: storeData?.isAdvancedCommerce ?? false,
        appAccountToken: storeData?.accountToken ?? null,
        preference,
        deliveryStatus: request.deliveryStatus ?? 'delivered',
        consumedShare: request.consumptionPercentage ?? subject.consumedShare,
        sampleContentProvided: this.sampleProvided(app, subject),
        customer: {
          firstSeenAtMs: customer.firstSeenAtMs,
          isOfAppStoreOnly: isOfAppStoreOnly(customer),
          spending: spending.unknown > 0 ? null : spending,
        },
      },
      this.clock.nowMs(),
    );
    const result = await connection.sendConsumption(app, { environment, transactionId, answer });
    return result.result === 'sent' ? { result: 'sent', body: answer.body } : result;
  }

  private async sendToGoogle(app: App, request: Answerable, subject: RefundSubject): Promise<SentAnswer> {
    const { storeData, orderId, sealedRefundToken, preference, projectId, id } = request;
    const connection = this.connections.forType(app.type);
    if (!connection?.reviewRefund || orderId === null || sealedRefundToken === null)
      return { result: 'refused', code: null, message: 'The request has no token.' };
    const { allowed } = await this.limiter.hit(reviews, projectId, app.id);
    if (!allowed) return { result: 'limited', forMs: reviews.windowMs };
    const { customer, purchase } = subject;
    const review = googleRefundAnswer({
      preference,
      sampleContentProvided: this.sampleProvided(app, subject),
      consumedShare: request.consumptionPercentage ?? subject.consumedShare,
      hasConsent: hasConsent(customer.attributes, app.storeSettings),
      daysSeen:
        app.storeSettings.refund_usage_evidence === 'days'
          ? await this.facts.daysSeen(projectId, customer.id, purchase)
          : null,
      obfuscatedAccountId: storeData?.accountToken ?? null,
      evidence: request.evidence ?? [],
    });
    const token = this.secrets.open(sealedRefundToken, refundTokenPlace(projectId, id));
    const result = await connection.reviewRefund(app, { orderId, token, review });
    return result.result === 'sent' ? { result: 'sent', body: review } : result;
  }

  private sampleProvided({ storeSettings }: App, { purchase }: RefundSubject): boolean {
    return purchase.hadTrial || storeSettings.sample_content_provided === true;
  }
}
