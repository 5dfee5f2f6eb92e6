import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customer_attributes')
export class CustomerAttribute {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn('text')
  name: string;

  @Column({ type: 'text', nullable: true })
  value: string | null;

  @Column({ type: 'bigint' })
  updatedAtMs: number;

  @Column('text')
  source: string;

  @Column({ type: 'timestamptz', precision: 3 })
  setAt: Date;

  /** When it got its value, if that was an earlier write than the one of `updatedAtMs`. A trigger sets it. */
  @Column({ type: 'bigint', nullable: true })
  valueSinceMs: number | null;
}
