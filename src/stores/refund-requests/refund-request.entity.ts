import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryStatus, UsageEvent } from '../../../libs/stores/index.js';
import type {
  AnswerReason,
  AnswerStatus,
  RefundDecider,
  RefundFacts,
  RefundOutcome,
  RefundPreference,
} from '../../../libs/targeting/index.js';
import type { RefundStoreData } from './new-refund-request.js';

const time = { type: 'timestamptz', precision: 3 } as const;

/** A customer asked the App Store for a refund, or a chargeback of a Google Play order needs a review. */
@Entity('refund_requests')
export class RefundRequest {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  appId: string;

  @Column('text')
  store: 'app_store' | 'mac_app_store' | 'play_store';

  @Column('text')
  environment: 'production' | 'sandbox';

  /** The App Store's id of the notification, or a hash of Google's refund token: one request for each. */
  @Column('text')
  storeRequestKey: string;

  /** Reported by an unsigned notification; Google has not accepted an answer yet. Webhooks do not report it. */
  @Column('boolean')
  isUnverified: boolean;

  /** Sealed. Null once the request is answered or expired, and for the App Store. */
  @Column('text', { nullable: true })
  sealedRefundToken: string | null;

  @Column('text', { nullable: true })
  customerId: string | null;

  @Column('text', { nullable: true })
  subscriptionId: string | null;

  @Column('text', { nullable: true })
  purchaseId: string | null;

  @Column('text', { nullable: true })
  productId: string | null;

  /** The store's key of the purchase, with which its owner is found. */
  @Column('text', { nullable: true })
  purchaseKey: string | null;

  @Column('text', { nullable: true })
  storeProductId: string | null;

  @Column('text', { nullable: true })
  transactionId: string | null;

  @Column('text', { nullable: true })
  orderId: string | null;

  /** What the store reported about the transaction, as far as an answer needs it. */
  @Column('jsonb', { nullable: true })
  storeData: RefundStoreData | null;

  /** As the store sent it; null if it sent none. */
  @Column('text', { nullable: true })
  reason: string | null;

  @Column({ ...time })
  requestedAt: Date;

  @Column({ ...time })
  receivedAt: Date;

  @Column({ ...time })
  deadlineAt: Date;

  @Column('text', { nullable: true })
  policyId: string | null;

  @Column('text', { nullable: true })
  policyName: string | null;

  @Column('text', { nullable: true })
  decidedBy: RefundDecider | null;

  /** Null while the owner of the purchase is unknown. */
  @Column('text', { nullable: true })
  preference: RefundPreference | null;

  @Column('text', { nullable: true })
  deliveryStatus: DeliveryStatus | null;

  /** Thousandths of a percent, as given by a person. */
  @Column('integer', { nullable: true })
  consumptionPercentage: number | null;

  @Column('text')
  answerStatus: AnswerStatus;

  @Column('text', { nullable: true })
  answerReason: AnswerReason | null;

  @Column({ ...time, nullable: true })
  answeredAt: Date | null;

  @Column('text', { nullable: true })
  answeredBy: string | null;

  @Column('text', { nullable: true })
  note: string | null;

  /** The values that the decision used. */
  @Column('jsonb', { nullable: true })
  facts: RefundFacts | null;

  @Column('jsonb', { nullable: true })
  evidence: UsageEvent[] | null;

  /** The answer as sent, without tokens. */
  @Column('jsonb', { nullable: true })
  bodySent: object | null;

  /** Null if nothing is left to do. */
  @Column({ ...time, nullable: true })
  dueAt: Date | null;

  @Column({ ...time, nullable: true })
  leaseUntil: Date | null;

  @Column('integer')
  attempts: number;

  @Column('text', { nullable: true })
  lastError: string | null;

  @Column({ ...time, nullable: true })
  lastErrorAt: Date | null;

  @Column('text', { nullable: true })
  outcome: RefundOutcome | null;

  @Column({ ...time, nullable: true })
  outcomeAt: Date | null;

  /** Identifies the report that set the outcome, so that a repeated report changes nothing. */
  @Column('text', { nullable: true })
  outcomeKey: string | null;

  @Column('bigint', { nullable: true })
  amountMicros: number | null;

  @Column({ type: 'char', length: 3, nullable: true })
  currency: string | null;

  @Column('bigint', { nullable: true })
  usdMicros: number | null;

  @Column('bigint', { nullable: true })
  refundedMicros: number | null;

  @Column('bigint', { nullable: true })
  refundedUsdMicros: number | null;
}
