import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A ledger entry at the rates of its day. Only its owner ever changes. */
@Entity('store_transactions')
export class StoreTransaction {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'recorded_at', type: 'timestamptz', precision: 3 })
  recordedAt: Date;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'subscription_id', type: 'text', nullable: true })
  subscriptionId: string | null;

  @Column({ name: 'purchase_id', type: 'text', nullable: true })
  purchaseId: string | null;

  @Column({ name: 'app_id', type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column('text')
  kind: string;

  @Column({ name: 'kind_seq', type: 'integer' })
  kindSeq: number;

  @Column({ name: 'period_key', type: 'text' })
  periodKey: string;

  @Column({ name: 'owner_key', type: 'text' })
  ownerKey: string;

  @Column({ name: 'store_ids', type: 'text', array: true })
  storeIds: string[];

  @Column({ name: 'store_product_id', type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ name: 'amount_micros', type: 'bigint', nullable: true })
  amountMicros: number | null;

  @Column({ type: 'char', length: 3, nullable: true })
  currency: string | null;

  @Column({ name: 'usd_micros', type: 'bigint', nullable: true })
  usdMicros: number | null;

  @Column({ name: 'fx_rate', type: 'numeric', precision: 20, scale: 10, nullable: true })
  fxRate: number | null;

  @Column({ name: 'fx_day', type: 'date', nullable: true })
  fxDay: string | null;

  @Column({ name: 'fx_source', type: 'text', nullable: true })
  fxSource: string | null;

  @Column({ name: 'commission_bps', type: 'integer' })
  commissionBps: number;

  @Column({ name: 'tax_bps', type: 'integer' })
  taxBps: number;

  @Column('integer')
  quantity: number;

  @Column({ name: 'price_source', type: 'text' })
  priceSource: string;

  @Column({ name: 'purchased_at', type: 'timestamptz', precision: 3 })
  purchasedAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'period_type', type: 'text' })
  periodType: string;

  @Column('text')
  ownership: string;

  @Column({ type: 'text', nullable: true })
  country: string | null;
}
