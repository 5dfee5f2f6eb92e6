import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the customers data set, and what its transactions show of the customer. */
@Entity('report_customers')
export class ReportCustomer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @Column({ type: 'text' })
  originalAppUserId: string;

  @Column({ type: 'text' })
  lastSeenAppUserId: string;

  @Column({ type: 'text', array: true })
  aliases: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lastSeenPlatform: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenAppVersion: string | null;

  @Column({ type: 'text', nullable: true })
  lastSeenCountry: string | null;

  @Column({ type: 'jsonb', nullable: true })
  reservedAttributes: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  customAttributes: Record<string, unknown> | null;

  @Column({ type: 'text', nullable: true })
  experimentId: string | null;

  @Column({ type: 'text', nullable: true })
  experimentVariant: string | null;

  @Column({ type: 'bigint' })
  seq: number;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;

  @Column({ type: 'text' })
  hash: string;

  @Column({ type: 'bigint' })
  txSeq: number;

  @Column({ type: 'timestamptz', precision: 3 })
  txChangedAt: Date;

  @Column({ type: 'text' })
  txHash: string;
}

/** A row of the subscriptions data set. */
@Entity('report_subscriptions')
export class ReportSubscription {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column({ type: 'text' })
  store: string;

  @Column({ type: 'text' })
  environment: string;

  @Column({ type: 'text', nullable: true })
  productIdentifier: string | null;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'boolean' })
  givesAccess: boolean;

  @Column({ type: 'text', nullable: true })
  autoRenewalStatus: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  currentPeriodStartedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  currentPeriodEndsAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  accessEndsAt: Date | null;

  @Column({ type: 'text' })
  ownership: string;

  @Column({ type: 'text', nullable: true })
  originalStoreTransactionId: string | null;

  @Column({ type: 'text', nullable: true })
  latestStoreTransactionId: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  entitlementIdentifiers: string[] | null;

  @Column({ type: 'text', nullable: true })
  priceCurrency: string | null;

  @Column({ type: 'bigint', nullable: true })
  priceMicros: number | null;

  @Column({ type: 'bigint' })
  seq: number;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;

  @Column({ type: 'text' })
  hash: string;
}
