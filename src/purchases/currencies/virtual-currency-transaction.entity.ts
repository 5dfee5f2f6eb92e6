import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currency_transactions')
export class VirtualCurrencyTransaction {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
  code: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column('text')
  kind: string;

  @Column('bigint')
  amount: number;

  @Column({ type: 'text', nullable: true })
  reference: string | null;

  @Column({ name: 'source_key', type: 'text', nullable: true })
  sourceKey: string | null;
}
