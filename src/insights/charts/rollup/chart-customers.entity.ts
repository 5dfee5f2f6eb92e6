import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The cohort of a customer. */
@Entity('chart_customers')
export class StoredChartCustomer {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'cohort_day', type: 'date' })
  cohortDay: string;

  @Column({ name: 'customer_dims_id', type: 'uuid' })
  customerDimsId: string;

  /** Null if it is that of production. */
  @Column({ name: 'sandbox_dims_id', type: 'uuid', nullable: true })
  sandboxDimsId: string | null;
}

/** The first conversion and payment of a customer. */
@Entity('chart_buyers')
export class ChartBuyer {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @Column({ name: 'customer_dims_id', type: 'uuid' })
  customerDimsId: string;

  @Column({ name: 'first_conversion_day', type: 'date' })
  firstConversionDay: string;

  @Column({ name: 'first_paying_day', type: 'date', nullable: true })
  firstPayingDay: string | null;
}

/** What a customer bought of one kind, by windows of time. */
@Entity('chart_payers')
export class ChartPayer {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ name: 'dims_id', type: 'uuid' })
  dimsId: string;

  @Column({ name: 'customer_dims_id', type: 'uuid' })
  customerDimsId: string;

  @Column({ name: 'cohort_day', type: 'date' })
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
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn({ name: 'purchase_id', type: 'text' })
  purchaseId: string;

  @PrimaryColumn({ type: 'integer' })
  run: number;

  @Column({ type: 'text' })
  environment: string;

  @Column({ name: 'customer_dims_id', type: 'uuid' })
  customerDimsId: string;

  @Column({ name: 'dims_id', type: 'uuid' })
  dimsId: string;

  @Column({ name: 'starts_at', type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ name: 'paid_until', type: 'timestamptz', precision: 3, nullable: true })
  paidUntil: Date | null;

  @Column({ name: 'ends_at', type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @Column({ name: 'is_trial', type: 'boolean' })
  isTrial: boolean;

  @Column({ name: 'is_renewing', type: 'boolean' })
  isRenewing: boolean;

  @Column({ name: 'in_retry', type: 'boolean' })
  inRetry: boolean;

  @Column({ name: 'rate_day', type: 'date' })
  rateDay: string;

  @Column({ type: 'bigint' })
  monthly: number;

  @Column({ name: 'last_payment', type: 'bigint' })
  lastPayment: number;

  @Column({ name: 'cohort_dims_id', type: 'uuid', nullable: true })
  cohortDimsId: string | null;

  @Column({ name: 'cohort_at', type: 'timestamptz', precision: 3, nullable: true })
  cohortAt: Date | null;

  @Column({ type: 'bigint' })
  retained: number;

  @Column({ type: 'integer' })
  payments: number;
}

/** How many customers of a cohort there are, and by time windows how many bought something. */
@Entity('chart_cohort_counts')
export class ChartCohortCounts {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ name: 'cohort_day', type: 'date' })
  cohortDay: string;

  @PrimaryColumn({ name: 'time_window', type: 'smallint' })
  timeWindow: number;

  @Column({ type: 'integer' })
  customers: number;

  @Column({ type: 'integer' })
  converts: number;

  @Column({ type: 'integer' })
  pays: number;
}

/** What a cohort paid, by time window and day of the exchange rate. */
@Entity('chart_cohort_money')
export class ChartCohortMoney {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  @PrimaryColumn({ name: 'cohort_day', type: 'date' })
  cohortDay: string;

  @PrimaryColumn({ name: 'time_window', type: 'smallint' })
  timeWindow: number;

  @PrimaryColumn({ name: 'rate_day', type: 'date' })
  rateDay: string;

  @Column({ type: 'bigint' })
  revenue: number;
}
