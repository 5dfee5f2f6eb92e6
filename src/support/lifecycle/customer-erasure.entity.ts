import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A deleted customer of whom some rows are still to be removed. */
@Entity('customer_erasures')
export class CustomerErasure {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'customer_id' })
  customerId: string;

  @Column({ name: 'requested_at', type: 'timestamptz', precision: 3 })
  requestedAt: Date;

  @Column('text', { name: 'app_user_id', nullable: true })
  appUserId: string | null;

  @Column('json')
  erased: Record<string, number>;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;
}
