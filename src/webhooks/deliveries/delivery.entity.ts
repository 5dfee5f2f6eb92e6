import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A waiting delivery needs an attribute of its customer. A skipped one is not sent. */
export type DeliveryStatus = 'pending' | 'waiting' | 'delivered' | 'failed' | 'skipped';

@Entity('webhook_deliveries')
export class Delivery {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  webhookIntegrationId: string;

  @Column('text')
  eventId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  eventCreatedAt: Date;

  @Column('text')
  eventType: string;

  @Column('text')
  status: DeliveryStatus;

  @Column('integer')
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('integer', { nullable: true })
  responseStatus: number | null;

  @Column('integer', { nullable: true })
  responseMs: number | null;

  @Column('text', { nullable: true })
  lastError: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastAttemptAt: Date | null;

  @Column('boolean')
  replay: boolean;

  /** Set in deliveries that are ordered by customer, and in those that wait. */
  @Column('text', { nullable: true })
  customerId: string | null;

  /** Null for unordered integrations. */
  @Column('bigint', { nullable: true })
  sequence: number | null;

  @Column('text', { nullable: true })
  customerInfo: string | null;

  /** Why the delivery waits, failed, or was skipped. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** Names of attributes, any of which lets a waiting delivery be sent. */
  @Column('text', { array: true, nullable: true })
  waitsFor: string[] | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  waitUntil: Date | null;

  /** Number of requests of the delivery that succeeded. */
  @Column('smallint')
  stepsDone: number;

  /** An attempt ended without a record of its response, so the endpoint may get the event twice. */
  @Column('boolean')
  mayBeRepeated: boolean;
}

/** One attempt of a delivery. Append-only. */
@Entity('webhook_attempts')
export class DeliveryAttempt {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  attemptedAt: Date;

  @PrimaryColumn('text')
  deliveryId: string;

  @PrimaryColumn('integer')
  attempt: number;

  /** The request that decided the attempt, from 0. */
  @Column('smallint')
  step: number;

  @Column('text')
  url: string;

  @Column('integer', { nullable: true })
  responseStatus: number | null;

  @Column('integer', { nullable: true })
  responseMs: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { nullable: true })
  responseBody: string | null;

  @Column('json', { nullable: true })
  responseHeaders: Record<string, string> | null;
}
