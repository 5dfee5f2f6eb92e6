import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customers')
export class Customer {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'original_app_user_id', type: 'text' })
  originalAppUserId: string;

  @Column({ name: 'first_seen_at', type: 'timestamptz', precision: 3 })
  firstSeenAt: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  @Column({ name: 'last_seen_platform', type: 'text', nullable: true })
  lastSeenPlatform: string | null;

  @Column({ name: 'last_seen_platform_version', type: 'text', nullable: true })
  lastSeenPlatformVersion: string | null;

  @Column({ name: 'last_seen_app_version', type: 'text', nullable: true })
  lastSeenAppVersion: string | null;

  @Column({ name: 'last_seen_country', type: 'text', nullable: true })
  lastSeenCountry: string | null;

  @Column({ name: 'original_application_version', type: 'text', nullable: true })
  originalApplicationVersion: string | null;

  @Column({ name: 'original_purchase_at', type: 'timestamptz', precision: 3, nullable: true })
  originalPurchaseAt: Date | null;

  @Column({ name: 'current_offering_override', type: 'text', nullable: true })
  currentOfferingOverride: string | null;

  @Column('bigint')
  version: number;

  @Column({ name: 'event_sequence', type: 'bigint' })
  eventSequence: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'last_seen_platform_flavor', type: 'text', nullable: true })
  lastSeenPlatformFlavor: string | null;

  @Column({ name: 'last_seen_sdk_version', type: 'text', nullable: true })
  lastSeenSdkVersion: string | null;

  @Column({ name: 'adservices_token', type: 'text', nullable: true })
  adservicesToken: string | null;

  @Column({ name: 'test_clock_id', type: 'text', nullable: true })
  testClockId: string | null;

  @Column({ name: 'test_clock_at', type: 'timestamptz', precision: 3, nullable: true })
  testClockAt: Date | null;

  /** Of the first request that said so, for the charts. */
  @Column({ name: 'first_seen_country', type: 'text', nullable: true })
  firstSeenCountry: string | null;

  @Column({ name: 'first_seen_platform', type: 'text', nullable: true })
  firstSeenPlatform: string | null;

  @Column({ name: 'first_seen_app_version', type: 'text', nullable: true })
  firstSeenAppVersion: string | null;

  @Column({ name: 'last_event_at', type: 'timestamptz', precision: 3, nullable: true })
  lastEventAt: Date | null;
}
