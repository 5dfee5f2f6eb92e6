import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An order that its store did not know. */
@Entity('import_order_misses')
export class UnknownOrder {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'app_id' })
  appId: string;

  @PrimaryColumn('text', { name: 'order_id' })
  orderId: string;

  @Column({ name: 'ask_again_at', type: 'timestamptz', precision: 3 })
  askAgainAt: Date;
}
