import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProductType } from '../snapshot/catalog.model.js';

@Entity('products')
export class Product {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  appId: string;

  @Column('text')
  storeIdentifier: string;

  @Column('text')
  type: ProductType;

  @Column('text')
  state: 'active' | 'inactive';

  @Column('text', { nullable: true })
  displayName: string | null;

  @Column('text', { nullable: true })
  duration: string | null;

  @Column('text', { nullable: true })
  trialDuration: string | null;

  @Column('text', { nullable: true })
  gracePeriodDuration: string | null;

  @Column('bigint', { nullable: true })
  testStorePriceMicros: number | null;

  @Column('char', { length: 3, nullable: true })
  testStorePriceCurrency: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
