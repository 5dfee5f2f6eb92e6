import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An order that its store did not know. */
@Entity('import_order_misses')
export class UnknownOrder {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  orderId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  askAgainAt: Date;
}
