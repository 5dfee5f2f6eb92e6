import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('store_notifications')
export class StoreNotification {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'app_id' })
  appId: string;

  @Column('text', { name: 'dedupe_key' })
  dedupeKey: string;

  @Column('text', { nullable: true })
  kind: string | null;

  @Column('text', { nullable: true })
  subkind: string | null;

  @Column('text', { nullable: true })
  environment: 'production' | 'sandbox' | null;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column('bytea', { nullable: true })
  body: Buffer | null;

  @Column('text', { name: 'content_type', nullable: true })
  contentType: string | null;

  @Column({ name: 'sent_at', type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;

  @PrimaryColumn({ name: 'received_at', type: 'timestamptz', precision: 3 })
  receivedAt: Date;

  @Column('text')
  state: string;

  @Column('integer')
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'processed_at', type: 'timestamptz', precision: 3, nullable: true })
  processedAt: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  @Column({ name: 'last_error_at', type: 'timestamptz', precision: 3, nullable: true })
  lastErrorAt: Date | null;

  @Column({ name: 'answered_at', type: 'timestamptz', precision: 3, nullable: true })
  answeredAt: Date | null;

  /** Why the store refused the answer for good. */
  @Column('text', { name: 'answer_error', nullable: true })
  answerError: string | null;

  /** Read from the store's history, because it never arrived. */
  @Column({ name: 'was_missed', type: 'boolean' })
  wasMissed: boolean;
}

/** A notification counts once, even if sent again in another month: the inbox is partitioned by month. */
@Entity('store_notification_keys')
export class StoreNotificationKey {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text', { name: 'dedupe_key' })
  dedupeKey: string;

  @Column('text')
  id: string;

  @Column({ name: 'received_at', type: 'timestamptz', precision: 3 })
  receivedAt: Date;
}

/** The copy of a notification for the developer's URL. */
@Entity('store_notification_copies')
export class StoreNotificationCopy {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'notification_id' })
  notificationId: string;

  @Column('text', { name: 'app_id' })
  appId: string;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('integer')
  attempts: number;

  @Column('integer', { nullable: true })
  status: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column({ name: 'attempted_at', type: 'timestamptz', precision: 3, nullable: true })
  attemptedAt: Date | null;
}
