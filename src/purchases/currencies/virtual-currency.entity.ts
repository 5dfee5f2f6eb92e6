import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('virtual_currencies')
export class VirtualCurrency {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  state: 'active' | 'inactive';

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** One product of one grant; the products of a grant share its position. */
@Entity('virtual_currency_grants')
export class VirtualCurrencyGrant {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  code: string;

  @Column('integer')
  position: number;

  @PrimaryColumn('text', { name: 'product_id' })
  productId: string;

  @Column('bigint')
  amount: number;

  @Column('bigint', { name: 'trial_amount' })
  trialAmount: number;

  @Column('boolean', { name: 'expire_at_cycle_end' })
  expireAtCycleEnd: boolean;
}
