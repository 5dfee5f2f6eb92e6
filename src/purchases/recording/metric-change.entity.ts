import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A purchase whose figures are not rolled up yet. */
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
