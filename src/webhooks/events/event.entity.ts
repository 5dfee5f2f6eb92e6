import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the event log. Append-only. */
@Entity('events')
export class RecordedEvent {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column('text')
  type: string;

  @Column('text', { name: 'dedupe_key' })
  dedupeKey: string;

  @Column('text', { name: 'customer_id', nullable: true })
  customerId: string | null;

  @Column('text', { name: 'other_customer_id', nullable: true })
  otherCustomerId: string | null;

  @Column('bigint', { nullable: true })
  sequence: number | null;

  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId: string | null;

  @Column('text', { name: 'purchase_id', nullable: true })
  purchaseId: string | null;

  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  @Column('text', { nullable: true })
  environment: 'production' | 'sandbox' | null;

  @Column('text')
  delivery: 'send' | 'suppressed';

  @Column('json')
  body: unknown;
}

/** The key of a recorded event: it is recorded once, in whichever month. */
@Entity('event_keys')
export class EventKey {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'dedupe_key' })
  dedupeKey: string;
}

/** A kind of event that a project has; the empty string stands for none. */
@Entity('event_kinds')
export class EventKind {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  type: string;

  @PrimaryColumn('text')
  environment: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;
}
