import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A combination of dimension values at a level. */
@Entity('chart_dims')
export class ChartDims {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  level: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column({ type: 'text', nullable: true })
  store: string | null;

  @Column({ type: 'text', nullable: true })
  productId: string | null;

  @Column({ type: 'text', nullable: true })
  productDuration: string | null;

  @Column({ type: 'text', nullable: true })
  channel: string | null;

  @Column({ type: 'text', nullable: true })
  country: string | null;

  @Column({ type: 'text', nullable: true })
  offeringIdentifier: string | null;

  @Column({ type: 'text', nullable: true })
  subscriptionType: string | null;

  @Column({ type: 'text', nullable: true })
  transactionType: string | null;

  @Column({ type: 'text', nullable: true })
  offerType: string | null;

  @Column({ type: 'text', nullable: true })
  offer: string | null;

  @Column({ type: 'text', nullable: true })
  renewalCycle: string | null;

  @Column({ type: 'text', nullable: true })
  placement: string | null;

  @Column({ type: 'text', nullable: true })
  targetingRule: string | null;

  @Column({ type: 'text', nullable: true })
  experiment: string | null;

  @Column({ type: 'text', nullable: true })
  experimentVariant: string | null;

  @Column({ type: 'text', nullable: true })
  customerCountry: string | null;

  @Column({ type: 'text', nullable: true })
  platform: string | null;

  @Column({ type: 'text', nullable: true })
  appVersion: string | null;

  @Column({ type: 'text', nullable: true })
  mediaSource: string | null;

  @Column({ type: 'text', nullable: true })
  campaign: string | null;

  @Column({ type: 'text', nullable: true })
  adGroup: string | null;

  @Column({ type: 'text', nullable: true })
  ad: string | null;

  @Column({ type: 'text', nullable: true })
  keyword: string | null;

  @Column({ type: 'text', nullable: true })
  creative: string | null;

  @Column({ type: 'text', nullable: true })
  installMonth: string | null;

  @Column({ type: 'text', nullable: true })
  firstPurchaseMonth: string | null;

  /** Values of the attributes that the project chose, by name. */
  @Column({ type: 'jsonb', nullable: true })
  attributes: Record<string, string> | null;
}

/** The change of the figures by a purchase at one time. */
@Entity('chart_facts')
export class StoredChartFact {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ type: 'text' })
  factKey: string;

  @Column({ type: 'text' })
  environment: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column({ type: 'date' })
  rateDay: string;

  @Column({ type: 'uuid' })
  dimsId: string;

  @Column({ type: 'uuid' })
  customerDimsId: string;

  @Column({ type: 'uuid', nullable: true })
  peerDimsId: string | null;

  @Column({ type: 'integer', nullable: true })
  run: number | null;

  @Column({ type: 'smallint' })
  move: number;

  @Column({ type: 'smallint', nullable: true })
  trials: number | null;

  @Column({ type: 'smallint', nullable: true })
  trialsNew: number | null;

  @Column({ type: 'smallint', nullable: true })
  trialsConverted: number | null;

  @Column({ type: 'smallint', nullable: true })
  actives: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthly: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthlyTax: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthlyCommission: number | null;

  @Column({ type: 'smallint', nullable: true })
  newActives: number | null;

  @Column({ type: 'smallint', nullable: true })
  resubscribed: number | null;

  @Column({ type: 'smallint', nullable: true })
  churned: number | null;

  @Column({ type: 'smallint', nullable: true })
  fromTrial: number | null;

  @Column({ type: 'smallint', nullable: true })
  fromIntro: number | null;

  @Column({ type: 'bigint', nullable: true })
  revenue: number | null;

  @Column({ type: 'bigint', nullable: true })
  tax: number | null;

  @Column({ type: 'bigint', nullable: true })
  commission: number | null;

  @Column({ type: 'smallint', nullable: true })
  transactions: number | null;

  @Column({ type: 'bigint', nullable: true })
  refunded: number | null;

  @Column({ type: 'smallint', nullable: true })
  refunds: number | null;

  @Column({ type: 'smallint', nullable: true })
  refundedLater: number | null;

  @Column({ type: 'smallint', nullable: true })
  nonSubscription: number | null;

  @Column({ type: 'integer', nullable: true })
  monthlyFraction: number | null;

  @Column({ type: 'smallint', nullable: true })
  overlapTrials: number | null;

  @Column({ type: 'smallint', nullable: true })
  overlapActives: number | null;

  @Column({ type: 'bigint', nullable: true })
  overlapMonthly: number | null;
}

/** Facts of a past day, summed by the dimensions of a level. */
@Entity('chart_days')
export class ChartDay {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'text' })
  level: string;

  @PrimaryColumn({ type: 'uuid' })
  dimsId: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  @PrimaryColumn({ type: 'date' })
  rateDay: string;

  @PrimaryColumn({ type: 'smallint' })
  move: number;

  @PrimaryColumn({ type: 'uuid' })
  peerDimsId: string;

  @Column({ type: 'integer', nullable: true })
  trials: number | null;

  @Column({ type: 'integer', nullable: true })
  trialsNew: number | null;

  @Column({ type: 'integer', nullable: true })
  trialsConverted: number | null;

  @Column({ type: 'integer', nullable: true })
  actives: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthly: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthlyTax: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthlyCommission: number | null;

  @Column({ type: 'integer', nullable: true })
  newActives: number | null;

  @Column({ type: 'integer', nullable: true })
  resubscribed: number | null;

  @Column({ type: 'integer', nullable: true })
  churned: number | null;

  @Column({ type: 'integer', nullable: true })
  fromTrial: number | null;

  @Column({ type: 'integer', nullable: true })
  fromIntro: number | null;

  @Column({ type: 'bigint', nullable: true })
  revenue: number | null;

  @Column({ type: 'bigint', nullable: true })
  tax: number | null;

  @Column({ type: 'bigint', nullable: true })
  commission: number | null;

  @Column({ type: 'integer', nullable: true })
  transactions: number | null;

  @Column({ type: 'bigint', nullable: true })
  refunded: number | null;

  @Column({ type: 'integer', nullable: true })
  refunds: number | null;

  @Column({ type: 'integer', nullable: true })
  refundedLater: number | null;

  @Column({ type: 'integer', nullable: true })
  nonSubscription: number | null;

  @Column({ type: 'bigint', nullable: true })
  monthlyFraction: number | null;

  @Column({ type: 'integer', nullable: true })
  overlapTrials: number | null;

  @Column({ type: 'integer', nullable: true })
  overlapActives: number | null;

  @Column({ type: 'bigint', nullable: true })
  overlapMonthly: number | null;
}
