import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customers')
export class Customer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  originalAppUserId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lastSeenPlatform: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenPlatformVersion: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenAppVersion: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenCountry: string | null;

  @Column({ type: 'text', nullable: true })
  originalApplicationVersion: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  originalPurchaseAt: Date | null;

  @Column({ type: 'text', nullable: true })
  currentOfferingOverride: string | null;

  @Column('bigint')
  version: number;

  @Column({ type: 'bigint' })
  eventSequence: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'text', nullable: true })
  lastSeenPlatformFlavor: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenSdkVersion: string | null;

  @Column({ type: 'text', nullable: true })
  adservicesToken: string | null;

  @Column({ type: 'text', nullable: true })
  testClockId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  testClockAt: Date | null;

  /** From the first request that contained it, for the charts. */
  @Column({ type: 'text', nullable: true })
  firstSeenCountry: string | null;

  @Column({ type: 'text', nullable: true })
  firstSeenPlatform: string | null;

  @Column({ type: 'text', nullable: true })
  firstSeenAppVersion: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastEventAt: Date | null;
}
