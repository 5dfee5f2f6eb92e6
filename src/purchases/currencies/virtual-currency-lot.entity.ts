import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currency_lots')
export class VirtualCurrencyLot {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
  code: string;

  @Column('bigint')
  remaining: number;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'source_key', type: 'text', nullable: true })
  sourceKey: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'bigint', nullable: true })
  granted: number | null;

  @Column({ name: 'taken_back', type: 'bigint' })
  takenBack: number;
}
