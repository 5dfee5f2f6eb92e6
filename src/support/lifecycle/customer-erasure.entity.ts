import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A deleted customer with rows that are not removed yet. */
@Entity('customer_erasures')
export class CustomerErasure {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  customerId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  requestedAt: Date;

  @Column('text', { nullable: true })
  appUserId: string | null;

  @Column('json')
  erased: Record<string, number>;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;
}
