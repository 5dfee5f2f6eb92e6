import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A changed purchase or customer that the facts do not include yet. */
@Entity('chart_changes')
export class ChartChange {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'bigint' })
  id: number;

  @Column({ type: 'text', nullable: true })
  purchaseId: string | null;

  @Column({ type: 'text', nullable: true })
  customerId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;
}
