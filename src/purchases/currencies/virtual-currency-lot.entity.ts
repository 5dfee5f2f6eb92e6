import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currency_lots')
export class VirtualCurrencyLot {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('text')
  code: string;

  @Column('bigint')
  remaining: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'text', nullable: true })
  sourceKey: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'bigint', nullable: true })
  granted: number | null;

  @Column({ type: 'bigint' })
  takenBack: number;
}
