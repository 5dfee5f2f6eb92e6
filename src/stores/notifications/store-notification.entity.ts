import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The inbox of store notifications. */
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

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @PrimaryColumn('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  @Column('text')
  state: string;

  @Column('integer')
  attempts: number;

  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('timestamptz', { name: 'processed_at', nullable: true })
  processedAt: Date | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  @Column('timestamptz', { name: 'last_error_at', nullable: true })
  lastErrorAt: Date | null;

  @Column('timestamptz', { name: 'answered_at', nullable: true })
  answeredAt: Date | null;
}

/** Keys of notifications: one counts once, in whichever month it comes. */
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

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;
}

/** The copy of a notification for the developer's own URL. */
@Entity('store_notification_copies')
export class StoreNotificationCopy {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'notification_id' })
  notificationId: string;

  @Column('text', { name: 'app_id' })
  appId: string;

  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;

  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('integer')
  attempts: number;

  @Column('integer', { nullable: true })
  status: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'attempted_at', nullable: true })
  attemptedAt: Date | null;
}
