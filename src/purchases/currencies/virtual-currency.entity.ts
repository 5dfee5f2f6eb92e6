import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currencies')
export class VirtualCurrency {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** One product of one grant; the products of a grant share its position. */
@Entity('virtual_currency_grants')
export class VirtualCurrencyGrant {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  code: string;

  @Column('integer')
  position: number;

  @PrimaryColumn('text')
  productId: string;

  @Column('bigint')
  amount: number;

  @Column('bigint')
  trialAmount: number;

  @Column('boolean')
  expireAtCycleEnd: boolean;
}
