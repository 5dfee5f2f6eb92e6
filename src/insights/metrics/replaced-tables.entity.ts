import { Column, Entity, PrimaryColumn } from 'typeorm';

// Servers before 0.12.0 read and write these tables during an upgrade; the next version drops them.

abstract class Figures {
  @Column('integer')
  trials: number;

  @Column('integer')
  subscriptions: number;

  @Column('bigint')
  priceMicros: number;

  @Column('bigint')
  revenueMicros: number;

  @Column('integer')
  transactions: number;
}

@Entity('metric_periods')
export class StoredMetricPeriod extends Figures {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  purchaseId: string;

  @PrimaryColumn('text')
  periodKey: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  @Column('text')
  appId: string;

  @Column('text')
  storeProductId: string;

  @Column('integer')
  lengthUnits: number;

  @Column({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;
}

/** Periods summed by UTC hour. */
@Entity('metric_hours')
export class MetricHour extends Figures {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn({ type: 'timestamptz', precision: 0 })
  hour: Date;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  storeProductId: string;

  @PrimaryColumn('integer')
  lengthUnits: number;
}

/** Periods summed by UTC day. */
@Entity('metric_days')
export class MetricDay extends Figures {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  storeProductId: string;

  @PrimaryColumn('integer')
  lengthUnits: number;
}

@Entity('metric_projects')
export class MetricProject {
  @PrimaryColumn('text')
  projectId: string;
}

/** A changed purchase. A trigger passes it on to the charts. */
@Entity('metric_changes')
export class MetricChange {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('bigint')
  id: number;

  @Column('text')
  purchaseId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;
}
