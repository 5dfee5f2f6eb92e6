import { Column, Entity, PrimaryColumn } from 'typeorm';

abstract class Figures {
  @Column('integer')
  trials: number;

  @Column('integer')
  subscriptions: number;

  @Column('bigint', { name: 'price_micros' })
  priceMicros: number;

  @Column('bigint', { name: 'revenue_micros' })
  revenueMicros: number;

  @Column('integer')
  transactions: number;
}

@Entity('metric_periods')
export class StoredMetricPeriod extends Figures {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'purchase_id' })
  purchaseId: string;

  @PrimaryColumn('text', { name: 'period_key' })
  periodKey: string;

  @Column('text')
  environment: 'production' | 'sandbox';

  @Column('text', { name: 'app_id' })
  appId: string;

  @Column('text', { name: 'store_product_id' })
  storeProductId: string;

  @Column('integer', { name: 'length_units' })
  lengthUnits: number;

  @Column({ name: 'starts_at', type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ name: 'ends_at', type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;
}

/** Periods summed by UTC hour. */
@Entity('metric_hours')
export class MetricHour extends Figures {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn({ type: 'timestamptz', precision: 0 })
  hour: Date;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text', { name: 'store_product_id' })
  storeProductId: string;

  @PrimaryColumn('integer', { name: 'length_units' })
  lengthUnits: number;
}

/** Periods summed by UTC day. */
@Entity('metric_days')
export class MetricDay extends Figures {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text', { name: 'store_product_id' })
  storeProductId: string;

  @PrimaryColumn('integer', { name: 'length_units' })
  lengthUnits: number;
}
