import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A cohort's customers by the set of values of one dimension with which they converted or paid. */
@Entity('chart_cohort_sums')
export class ChartCohortSum {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  environment: string;

  /** The dimension. */
  @PrimaryColumn({ type: 'text' })
  level: string;

  @PrimaryColumn({ type: 'uuid' })
  setHash: string;

  @PrimaryColumn({ type: 'date' })
  cohortDay: string;

  @Column({ type: 'text', array: true })
  values: string[];

  /** In sets of one value: customers with it (environment `any`), or who bought with it. */
  @Column({ type: 'integer' })
  customers: number;

  /** Customers by time window. */
  @Column({ type: 'integer', array: true })
  converts: number[];

  @Column({ type: 'integer', array: true })
  pays: number[];

  /** Micros by time window, in sets of one value. */
  @Column({ type: 'bigint', array: true })
  revenue: number[];
}
