import { Column, Entity, PrimaryColumn } from 'typeorm';

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
