import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the transactions data set, without the columns of its customer. */
@Entity('report_transactions')
export class ReportTransaction {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ type: 'text' })
  periodKey: string;

  @PrimaryColumn({ type: 'text' })
  product: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column({ type: 'text', nullable: true })
  country: string | null;

  @Column({ type: 'text', nullable: true })
  countrySource: string | null;

  @Column({ type: 'text' })
  productIdentifier: string;

  @Column({ type: 'text', nullable: true })
  productDisplayName: string | null;

  @Column({ type: 'text', nullable: true })
  productDuration: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  startTime: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endTime: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  gracePeriodEndTime: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  effectiveEndTime: Date | null;

  @Column({ type: 'text' })
  store: string;

  @Column({ type: 'boolean' })
  isAutoRenewable: boolean;

  @Column({ type: 'boolean' })
  isTrialPeriod: boolean;

  @Column({ type: 'boolean' })
  isInIntroOfferPeriod: boolean;

  @Column({ type: 'boolean' })
  isSandbox: boolean;

  @Column({ type: 'numeric', precision: 20, scale: 6, nullable: true })
  priceInUsd: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 6, nullable: true })
  purchasePriceInUsd: string | null;

  @Column({ type: 'numeric', precision: 7, scale: 6 })
  takehomePercentage: string;

  @Column({ type: 'numeric', precision: 7, scale: 6 })
  taxPercentage: string;

  @Column({ type: 'numeric', precision: 7, scale: 6 })
  commissionPercentage: string;

  @Column({ type: 'text' })
  storeTransactionId: string;

  @Column({ type: 'text', nullable: true })
  originalStoreTransactionId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refundedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unsubscribeDetectedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  billingIssuesDetectedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  purchasedCurrency: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 6, nullable: true })
  priceInPurchasedCurrency: string | null;

  @Column({ type: 'numeric', precision: 20, scale: 6, nullable: true })
  purchasePriceInPurchasedCurrency: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  entitlementIdentifiers: string[] | null;

  @Column({ type: 'integer' })
  renewalNumber: number;

  @Column({ type: 'boolean' })
  isTrialConversion: boolean;

  @Column({ type: 'text', nullable: true })
  presentedOffering: string | null;

  @Column({ type: 'text' })
  ownershipType: string;

  @Column({ type: 'text', nullable: true })
  offer: string | null;

  @Column({ type: 'text', nullable: true })
  offerType: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  autoResumeTime: Date | null;

  @Column({ type: 'bigint' })
  seq: number;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;

  @Column({ type: 'text' })
  hash: string;
}
