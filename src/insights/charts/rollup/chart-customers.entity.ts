import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The cohort of a customer. */
@Entity('chart_customers')
export class StoredChartCustomer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @Column({ type: 'date' })
  cohortDay: string;

  @Column({ type: 'uuid' })
  customerDimsId: string;

  /** Null if it equals the one in production. */
  @Column({ type: 'uuid', nullable: true })
  sandboxDimsId: string | null;
}

/** The first conversion and payment of a customer. */
@Entity('chart_buyers')
export class ChartBuyer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @Column({ type: 'uuid' })
  customerDimsId: string;

  @Column({ type: 'date' })
  firstConversionDay: string;

  @Column({ type: 'date', nullable: true })
  firstPayingDay: string | null;
}

/** A customer's purchases of one kind, by time window. */
@Entity('chart_payers')
export class ChartPayer {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'uuid' })
  dimsId: string;

  @Column({ type: 'uuid' })
  customerDimsId: string;

  @Column({ type: 'date' })
  cohortDay: string;

  @Column({ type: 'integer' })
  converts: number;

  @Column({ type: 'integer' })
  pays: number;

  @Column({ type: 'bigint', array: true })
  revenue: number[];
}

/** Periods of one product without a lapse. */
@Entity('chart_runs')
export class ChartRun {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ type: 'integer' })
  run: number;

  @Column({ type: 'text' })
  environment: string;

  @Column({ type: 'uuid' })
  customerDimsId: string;

  @Column({ type: 'uuid' })
  dimsId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  paidUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @Column({ type: 'boolean' })
  isTrial: boolean;

  @Column({ type: 'boolean' })
  isRenewing: boolean;

  @Column({ type: 'boolean' })
  inRetry: boolean;

  @Column({ type: 'date' })
  rateDay: string;

  @Column({ type: 'bigint' })
  monthly: number;

  @Column({ type: 'bigint' })
  lastPayment: number;

  @Column({ type: 'uuid', nullable: true })
  cohortDimsId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cohortAt: Date | null;

  @Column({ type: 'bigint' })
  retained: number;

  @Column({ type: 'integer' })
  payments: number;
}

/** The number of customers in a cohort, and of buyers by time window. */
@Entity('chart_cohort_counts')
export class ChartCohortCounts {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'date' })
  cohortDay: string;

  @PrimaryColumn({ type: 'smallint' })
  timeWindow: number;

  @Column({ type: 'integer' })
  customers: number;

  @Column({ type: 'integer' })
  converts: number;

  @Column({ type: 'integer' })
  pays: number;
}

/** A cohort's payments, by time window and day of the exchange rate. */
@Entity('chart_cohort_money')
export class ChartCohortMoney {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ type: 'date' })
  cohortDay: string;

  @PrimaryColumn({ type: 'smallint' })
  timeWindow: number;

  @PrimaryColumn({ type: 'date' })
  rateDay: string;

  @Column({ type: 'bigint' })
  revenue: number;
}

/** Facts of a past day, summed by the first day of their customers. */
@Entity('chart_cohort_days')
export class ChartCohortDay {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  /** Which first day: `c` of the customer, `i` of a conversion, `p` of a payment. */
  @PrimaryColumn({ type: 'text' })
  kind: string;

  @PrimaryColumn({ type: 'date' })
  cohortDay: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  @PrimaryColumn({ type: 'date' })
  rateDay: string;

  /** Whole months from the cohort day to the day. */
  @Column({ type: 'smallint' })
  months: number;

  @Column({ type: 'bigint' })
  revenue: number;

  @Column({ type: 'bigint' })
  tax: number;

  @Column({ type: 'bigint' })
  commission: number;

  @Column({ type: 'integer' })
  actives: number;
}
