import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A one-time purchase: the store's facts, the emitted state, and columns derived from both. */
@Entity('one_time_purchases')
export class OneTimePurchaseEntity {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column({ type: 'text' })
  purchaseKey: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text' })
  originalCustomerId: string;

  @Column({ type: 'text' })
  originalCustomerAppUserId: string;

  @Column({ type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ type: 'text', array: true })
  storeIdentifiers: string[];

  @Column('json')
  facts: object;

  @Column({ type: 'bigint' })
  factsAtMs: number;

  @Column('json')
  emitted: object;

  @Column({ type: 'timestamptz', precision: 3 })
  purchasedAt: Date;

  @Column('text')
  status: string;

  @Column('bigint')
  version: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
