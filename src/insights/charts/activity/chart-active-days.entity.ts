import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Customers who were active on a day, by the days since they were active before. */
@Entity('chart_active_days')
export class ChartActiveDay {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  level: string;

  @PrimaryColumn({ type: 'uuid' })
  valueHash: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  /** 32767 if they were never active before. */
  @PrimaryColumn({ type: 'smallint' })
  gap: number;

  @Column({ type: 'text' })
  value: string;

  @Column({ type: 'integer' })
  customers: number;
}

/** A past day whose sums are missing or out of date. */
@Entity('chart_active_marks')
export class ChartActiveMark {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'date' })
  day: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;
}
