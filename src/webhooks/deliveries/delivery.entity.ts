import { Column, Entity, PrimaryColumn } from 'typeorm';

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
  status: 'pending' | 'delivered' | 'failed';

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

  @Column('text', { nullable: true })
  customerId: string | null;

  @Column('bigint', { nullable: true })
  sequence: number | null;

  @Column('text', { nullable: true })
  customerInfo: string | null;
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
