import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customer_attributes')
export class CustomerAttribute {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn('text')
  name: string;

  @Column({ type: 'text', nullable: true })
  value: string | null;

  @Column({ name: 'updated_at_ms', type: 'bigint' })
  updatedAtMs: number;

  @Column('text')
  source: string;

  @Column({ name: 'set_at', type: 'timestamptz', precision: 3 })
  setAt: Date;
}
