import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change that is not folded into the days yet, so that writers of one project do not wait for each other. */
@Entity('metric_customer_changes')
export class MetricCustomerChange {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('bigint')
  id: number;

  @Column('date')
  day: string;

  @Column('integer')
  firstSeen: number;

  @Column('integer')
  lastSeen: number;
}

/** Customers first and last seen on a UTC day. */
@Entity('metric_customer_days')
export class MetricCustomerDay {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('date')
  day: string;

  @Column('integer')
  firstSeen: number;

  @Column('integer')
  lastSeen: number;
}
