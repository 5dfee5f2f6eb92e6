import { Column, Entity, PrimaryColumn } from 'typeorm';

/** As `SubscriptionEntity`. */
@Entity('one_time_purchases')
export class OneTimePurchaseEntity {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column({ name: 'app_id', type: 'text', nullable: true })
  appId: string | null;

  @Column('text')
  store: string;

  @Column('text')
  environment: string;

  @Column({ name: 'purchase_key', type: 'text' })
  purchaseKey: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'original_customer_id', type: 'text' })
  originalCustomerId: string;

  @Column({ name: 'original_customer_app_user_id', type: 'text' })
  originalCustomerAppUserId: string;

  @Column({ name: 'store_product_id', type: 'text', nullable: true })
  storeProductId: string | null;

  @Column({ name: 'store_identifiers', type: 'text', array: true })
  storeIdentifiers: string[];

  @Column('json')
  facts: object;

  @Column({ name: 'facts_at_ms', type: 'bigint' })
  factsAtMs: number;

  @Column('json')
  emitted: object;

  @Column({ name: 'purchased_at', type: 'timestamptz', precision: 3 })
  purchasedAt: Date;

  @Column('text')
  status: string;

  @Column('bigint')
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
