import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Records that a store did not know an order. */
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
