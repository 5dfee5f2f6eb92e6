import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currency_transactions')
export class VirtualCurrencyTransaction {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
  code: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column('text')
  kind: string;

  @Column('bigint')
  amount: number;

  @Column({ type: 'text', nullable: true })
  reference: string | null;

  @Column({ type: 'text', nullable: true })
  sourceKey: string | null;
}
