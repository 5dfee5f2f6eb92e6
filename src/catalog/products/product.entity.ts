import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProductType } from '../snapshot/catalog.model.js';

@Entity('products')
export class Product {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'app_id' })
  appId: string;

  @Column('text', { name: 'store_identifier' })
  storeIdentifier: string;

  @Column('text')
  type: ProductType;

  @Column('text')
  state: 'active' | 'inactive';

  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;

  @Column('text', { nullable: true })
  duration: string | null;

  @Column('text', { name: 'trial_duration', nullable: true })
  trialDuration: string | null;

  @Column('text', { name: 'grace_period_duration', nullable: true })
  gracePeriodDuration: string | null;

  @Column('bigint', { name: 'test_store_price_micros', nullable: true })
  testStorePriceMicros: number | null;

  @Column('char', { name: 'test_store_price_currency', length: 3, nullable: true })
  testStorePriceCurrency: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
