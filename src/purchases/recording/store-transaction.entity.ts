import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A ledger entry at the rates of its day. Only its owner can change. */
@Entity('store_transactions')
export class StoreTransaction {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'text', nullable: true })
  subscriptionId: string | null;

  @Column({ type: 'text', nullable: true })
  purchaseId: string | null;

  @Column({ type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column('text')
  kind: string;

  @Column({ type: 'integer' })
  kindSeq: number;

  @Column({ type: 'text' })
  periodKey: string;

  @Column({ type: 'text' })
  ownerKey: string;

  @Column({ type: 'text', array: true })
  storeIds: string[];

  @Column({ type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ type: 'bigint', nullable: true })
  amountMicros: number | null;

  @Column({ type: 'char', length: 3, nullable: true })
  currency: string | null;

  @Column({ type: 'bigint', nullable: true })
  usdMicros: number | null;

  @Column({ type: 'numeric', precision: 20, scale: 10, nullable: true })
  fxRate: number | null;

  @Column({ type: 'date', nullable: true })
  fxDay: string | null;

  @Column({ type: 'text', nullable: true })
  fxSource: string | null;

  @Column({ type: 'integer' })
  commissionBps: number;

  @Column({ type: 'integer' })
  taxBps: number;

  @Column('integer')
  quantity: number;

  @Column({ type: 'text' })
  priceSource: string;

  @Column({ type: 'timestamptz', precision: 3 })
  purchasedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'text' })
  periodType: string;

  @Column('text')
  ownership: string;

  @Column({ type: 'text', nullable: true })
  country: string | null;
}
