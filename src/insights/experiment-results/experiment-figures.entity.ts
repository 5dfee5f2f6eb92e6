import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Figures of a variant's customers, by their properties at enrollment. */
@Entity('experiment_figures')
export class ExperimentFigures {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  experimentId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('text')
  variant: string;

  /** Empty for all products; `other` for those that no variant offers. */
  @PrimaryColumn('text')
  product: string;

  /** Empty if unknown. */
  @PrimaryColumn('text')
  platform: string;

  /** Empty if unknown. */
  @PrimaryColumn('text')
  country: string;

  @Column('integer')
  customers: number;

  /** Customers who joined since the weights last changed. */
  @Column('integer')
  recentCustomers: number;

  @Column('integer')
  converted: number;

  @Column('integer')
  trialsStarted: number;

  @Column('integer')
  trialsCompleted: number;

  @Column('integer')
  trialsConverted: number;

  @Column('integer')
  paid: number;

  @Column('integer')
  active: number;

  @Column('integer')
  renewing: number;

  @Column('integer')
  churned: number;

  @Column('integer')
  refunded: number;

  /** USD micros. */
  @Column('bigint')
  revenue: number;

  /** Sum of squares of each customer's revenue in USD. */
  @Column('double precision')
  revenueSquares: number;

  /** USD micros of monthly recurring revenue. */
  @Column('bigint')
  monthly: number;

  @Column('double precision')
  monthlySquares: number;
}

/** When an experiment's figures were last computed, and when they are due next. */
@Entity('experiment_computations')
export class ExperimentComputation {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  experimentId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  computedAt: Date | null;

  /** Customers excluded because they were in another experiment too. */
  @Column('integer')
  contaminated: number;
}
