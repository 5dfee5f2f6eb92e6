import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A note on a day, such as a release or a change of prices. */
@Entity('chart_notes')
export class ChartNote {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  /** A UTC day, `YYYY-MM-DD`. */
  @Column('date')
  date: string;

  @Column('text')
  text: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
