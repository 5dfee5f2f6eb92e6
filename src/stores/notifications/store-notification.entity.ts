import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('store_notifications')
export class StoreNotification {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  appId: string;

  @Column('text')
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

  /** Replaces the body of a notification that contains a secret. */
  @Column('text', { nullable: true })
  sealedBody: string | null;

  @Column('text', { nullable: true })
  contentType: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  receivedAt: Date;

  @Column('text')
  state: string;

  @Column('integer')
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  processedAt: Date | null;

  @Column('text', { nullable: true })
  lastError: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastErrorAt: Date | null;

  /** The notification never arrived and was read from the store's history. */
  @Column({ type: 'boolean' })
  wasMissed: boolean;
}

/** Deduplicates notifications across months, because the inbox is partitioned by month. */
@Entity('store_notification_keys')
export class StoreNotificationKey {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  dedupeKey: string;

  @Column('text')
  id: string;

  @Column({ type: 'timestamptz', precision: 3 })
  receivedAt: Date;
}

/** The copy of a notification for the developer's URL. */
@Entity('store_notification_copies')
export class StoreNotificationCopy {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  notificationId: string;

  @Column('text')
  appId: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column('integer')
  attempts: number;

  @Column('integer', { nullable: true })
  status: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  attemptedAt: Date | null;
}
