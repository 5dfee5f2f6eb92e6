import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'webhook_integration_id' })
  webhookIntegrationId: string;

  @Column('text', { name: 'event_id' })
  eventId: string;

  @Column({ name: 'event_created_at', type: 'timestamptz', precision: 3 })
  eventCreatedAt: Date;

  @Column('text', { name: 'event_type' })
  eventType: string;

  @Column('text')
  status: 'pending' | 'delivered' | 'failed';

  @Column('integer')
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  @Column('integer', { name: 'response_ms', nullable: true })
  responseMs: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  @Column({ name: 'last_attempt_at', type: 'timestamptz', precision: 3, nullable: true })
  lastAttemptAt: Date | null;

  @Column('boolean')
  replay: boolean;

  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  @Column('bigint', { nullable: true })
  sequence: number | null;

  @Column('text', { name: 'customer_info', nullable: true })
  customerInfo: string | null;
}

/** One attempt of a delivery. Append-only. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn({ name: 'attempted_at', type: 'timestamptz', precision: 3 })
  attemptedAt: Date;

  @PrimaryColumn('text', { name: 'delivery_id' })
  deliveryId: string;

  @PrimaryColumn('integer')
  attempt: number;

  @Column('text')
  url: string;

  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  @Column('integer', { name: 'response_ms', nullable: true })
  responseMs: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;

  @Column('json', { name: 'response_headers', nullable: true })
  responseHeaders: Record<string, string> | null;
}
